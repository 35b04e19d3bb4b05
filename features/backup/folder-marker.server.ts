import { access, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SettingsError } from '#lib/runtime/settings-error.ts'

/** Written into the folder of BACKUP_TO by its first backup. A disk that is not mounted leaves a folder without it. */
const MARKER = 'khamar-backups.txt'
const MARKER_TEXT = 'Khamar stores its backups here. Without this file it takes the disk for one that is not mounted.\n'
/** In DATA_DIR: the folder that has the marker. The database may be restored on another machine. */
const MARKED_FOLDER = 'backup-folder'

/** Throws a SettingsError when a marked folder has lost its marker. The default folder shares the disk of DATA_DIR, and is not marked. */
export async function assertMounted(folder: string, dataDir: string): Promise<void> {
  if (folder !== (await markedFolder(dataDir))) return
  const marker = path.join(folder, MARKER)
  const isMissing = await access(marker).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )
  if (isMissing) throw new SettingsError(`${marker} is missing: is the disk mounted? When it is the right folder, create this file.`)
}

/** Marks an existing folder of BACKUP_TO. */
export async function markFolder(folder: string, dataDir: string): Promise<void> {
  if (folder === path.join(dataDir, 'backups') || folder === (await markedFolder(dataDir))) return
  // One that an operator made may belong to another user.
  await writeFile(path.join(folder, MARKER), MARKER_TEXT, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  // A disk of the shop that is full stops no backup to another one.
  await writeFile(path.join(dataDir, MARKED_FOLDER), folder).catch(() => {})
}

const markedFolder = (dataDir: string): Promise<string | null> => readFile(path.join(dataDir, MARKED_FOLDER), 'utf8').catch(() => null)
