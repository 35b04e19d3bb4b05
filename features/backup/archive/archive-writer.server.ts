import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
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
    await this.#write(name, body.length, [body])
  }

  /** Adds an entry of exactly `size` bytes. Throws when the stream has fewer or more. */
  async addStream(name: string, size: number, body: Readable): Promise<void> {
    await this.#write(name, size, body)
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

  async #write(name: string, size: number, body: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
    const hash = createHash('sha256')
    let bytes = 0
    async function* measured() {
      for await (const chunk of body) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    }
    const entry = this.#pack.entry({ name, size, mode: 0o600 })
    const work = pipeline(measured, entry)
    await Promise.race([work, this.#written.then(() => work)])
    this.entries.push({ name, bytes, sha256: hash.digest('hex') })
  }
}
