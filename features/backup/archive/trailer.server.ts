import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { DamagedBackupError } from './format.ts'

// The last bytes of a backup are a zstd skippable frame (RFC 8878, 3.1.2), which zstd ignores: the SHA-256 of all bytes before it. It shows
// that the file is whole and that nothing follows.

const HASH_BYTES = 32
const HEADER = Buffer.from([0x50, 0x2a, 0x4d, 0x18, HASH_BYTES, 0, 0, 0])
const TRAILER_BYTES = HEADER.length + HASH_BYTES

/** Passes the compressed bytes on and appends the trailer. `total` describes the whole file once it has ended. */
export function appendTrailer(): { stream: Transform; total(): { bytes: number; sha256: string } } {
  const before = createHash('sha256')
  const whole = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      before.update(chunk)
      whole.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
    flush(done) {
      const trailer = Buffer.concat([HEADER, before.digest()])
      whole.update(trailer)
      bytes += trailer.length
      done(null, trailer)
    },
  })
  return { stream, total: () => ({ bytes, sha256: whole.digest('hex') }) }
}

/** The length of the file without its trailer, and the SHA-256 that these bytes must have. Throws when the trailer is missing. */
export async function readTrailer(file: string): Promise<{ length: number; sha256: string }> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const length = size - TRAILER_BYTES
    const trailer = Buffer.alloc(TRAILER_BYTES)
    if (length > 0) await handle.read(trailer, 0, TRAILER_BYTES, length)
    if (length <= 0 || !trailer.subarray(0, HEADER.length).equals(HEADER))
      throw new DamagedBackupError('This is not a backup of Khamar, or its end is missing.')
    return { length, sha256: trailer.subarray(HEADER.length).toString('hex') }
  } finally {
    await handle.close()
  }
}
