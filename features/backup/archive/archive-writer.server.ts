import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { pack, type Pack } from 'tar-stream'
import type { ArchiveEntry } from './format.ts'
import { appendTrailer } from './trailer.server.ts'

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }

/** Writes a backup file entry by entry. Memory stays bounded: an entry waits until the disk has taken the previous ones. */
export class ArchiveWriter {
  readonly entries: ArchiveEntry[] = []
  readonly #pack: Pack = pack()
  readonly #trailer = appendTrailer()
  readonly #written: Promise<void>

  /** Creates the file; one of that name is an error. */
  constructor(file: string) {
    // `flush` writes the file through to the disk when it is closed.
    const out = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
    this.#written = pipeline(this.#pack, createZstdCompress(ZSTD), this.#trailer.stream, out)
    // Failures are thrown by the entry that waits, or by `finish`.
    this.#written.catch(() => {})
  }

  async add(name: string, body: Buffer): Promise<void> {
    const entry = await this.#open(name, body.length)
    const work = pipeline([body], entry)
    await Promise.race([work, this.#written.then(() => work)])
    this.entries.push({ name, bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') })
  }

  /** After a failure of the file the tar stream only says that it was destroyed; the reason is the file's. */
  async #open(name: string, size: number): Promise<ReturnType<Pack['entry']>> {
    try {
      return this.#pack.entry({ name, size, mode: 0o600 })
    } catch (error) {
      await this.#written
      throw error
    }
  }

  /** Closes the file and answers its size and SHA-256. */
  async finish(): Promise<{ bytes: number; sha256: string }> {
    this.#pack.finalize()
    await this.#written
    return this.#trailer.total()
  }

  /** Closes the file unfinished. */
  async abort(): Promise<void> {
    this.#pack.destroy()
    await this.#written.catch(() => {})
  }
}
