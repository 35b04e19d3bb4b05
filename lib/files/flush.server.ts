import { open } from 'node:fs/promises'

/** The codes of file systems that cannot flush a folder, such as some of networks. */
const UNSUPPORTED = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'])

/**
 * Writes a file, or the names in a folder, through to the disk. Without it a power cut leaves a file that was just written empty, and one
 * that was just renamed under its former name.
 */
export async function flush(place: string): Promise<void> {
  const handle = await open(place, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (!UNSUPPORTED.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await handle.close()
  }
}
