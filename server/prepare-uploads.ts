import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { openUploads } from '#lib/files/uploads.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'

const LOGO = 'logo.png'

/**
 * Creates the folder of uploads with the default logo, unless the owner has put one there. A command that root ran leaves a folder of root:
 * its shop would start and refuse every picture.
 */
export async function prepareUploads(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    throw new SettingsError(`The folder ${folder} cannot be written to by this user: start as its owner, or give it to this user.`)
  }
  if (!statSync(path.join(folder, LOGO), { throwIfNoEntry: false })?.size)
    await openUploads({ folder, bucket: null }).copy(path.join(import.meta.dirname, '../public', LOGO), LOGO)
}
