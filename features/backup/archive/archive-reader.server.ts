import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createZstdDecompress } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import type { z } from 'zod'
import { pauseSince } from '../pace.server.ts'
import {
  type ArchiveEntry,
  BackupFileError,
  DamagedBackupError,
  type Contents,
  CONTENTS,
  contentsSchema,
  DATA_NAME,
  FORMAT_VERSION,
  type Manifest,
  MANIFEST,
  manifestSchema,
  UPLOAD_NAME,
  UPLOADS,
} from './format.ts'
import { readTrailer } from './trailer.server.ts'

type Entry = AsyncIterable<Buffer> & { header: Header; resume(): unknown }

type Take = (name: string, body: AsyncIterable<Buffer>) => Promise<void>

const MAX_JSON_BYTES = 256 * 1024 * 1024

const damaged = (detail: string) => new DamagedBackupError(`The backup file is damaged or incomplete: ${detail}.`)

/** Reads the entries in their order; each must be read to its end. */
async function* entriesOf(file: string): AsyncGenerator<Entry> {
  const { length, sha256 } = await readTrailer(file)
  const source = createReadStream(file, { end: length - 1 })
  const hash = createHash('sha256')
  source.on('data', (chunk) => hash.update(chunk))
  const decompress = createZstdDecompress()
  const tar = extract()
  // An error goes along the chain to the reader of the current entry.
  source.on('error', (error) => decompress.destroy(error))
  const isWhole = new Promise<void>((resolve, reject) => decompress.once('end', resolve).once('error', reject))
  isWhole.catch((error: Error) => tar.destroy(error))
  source.pipe(decompress).pipe(tar)
  try {
    for await (const entry of tar) yield entry as Entry
    // The archive may end before the compressed stream, whose last bytes are its own checksum.
    await isWhole
    if (hash.digest('hex') !== sha256) throw damaged('the checksum of the file is wrong')
  } finally {
    source.destroy()
    decompress.destroy()
  }
}

/** Turns errors of decompression and of the tar format into one line for people; other errors stay as they are. */
function asFileError(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'EISDIR') return new BackupFileError(`${file} is a folder: name the file of a backup.`)
  const isDamaged =
    /^(ZSTD|Z_)/.test(code) || /^(Unexpected end of data|Invalid header|Header exceeds max size|Writable stream closed)/.test(error.message)
  return isDamaged ? damaged(error.message) : error
}

/**
 * Reads the whole file and compares every entry with its checksum. Throws a `BackupFileError`; nothing is written. With `isBesideOrders` it
 * pauses between entries.
 */
export async function checkArchive(file: string, { isBesideOrders = false } = {}): Promise<{ manifest: Manifest; contents: Contents }> {
  try {
    return await readWhole(file, isBesideOrders)
  } catch (error) {
    throw asFileError(error, file)
  }
}

async function readWhole(file: string, isBesideOrders: boolean): Promise<{ manifest: Manifest; contents: Contents }> {
  const found: ArchiveEntry[] = []
  let manifest: Manifest | null = null
  let contents: Contents | null = null
  let startedAt = performance.now()
  for await (const entry of entriesOf(file)) {
    if (isBesideOrders) await pauseSince(startedAt)
    startedAt = performance.now()
    const { name } = entry.header
    if (contents) throw damaged('it goes on after its end')
    if (name === CONTENTS) {
      contents = readJson(await readAll(entry), contentsSchema)
      continue
    }
    if (found.length === 0) {
      const body = await readAll(entry)
      if (name !== MANIFEST) throw new BackupFileError('This is not a backup of Khamar.')
      manifest = readManifest(body)
      found.push({ name, bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') })
    } else found.push(await measureEntry(entry))
  }
  if (!manifest || !contents) throw damaged('its end is missing')
  assertEqual(found, contents.entries)
  return { manifest, contents }
}

/** Reads the file again for `take`; the body of an entry that it does not read is skipped. A changed entry throws a `BackupFileError`. */
export async function readArchive(file: string, contents: Contents, take: Take): Promise<void> {
  const expected = new Map(contents.entries.map((entry) => [entry.name, entry.sha256]))
  try {
    for await (const entry of entriesOf(file)) await takeEntry(entry, expected, take)
  } catch (error) {
    throw asFileError(error, file)
  }
}

async function takeEntry(entry: Entry, expected: ReadonlyMap<string, string>, take: Take): Promise<void> {
  const { name } = entry.header
  if (name === CONTENTS) {
    entry.resume()
    return
  }
  const hash = createHash('sha256')
  async function* measured() {
    for await (const chunk of entry) {
      hash.update(chunk)
      yield chunk
    }
  }
  const body = measured()
  await take(name, body)
  for await (const rest of body) void rest
  if (hash.digest('hex') !== expected.get(name)) throw damaged(`${name} has changed meanwhile`)
}

async function measureEntry(entry: Entry): Promise<ArchiveEntry> {
  const { name } = entry.header
  const isUpload = name.startsWith(UPLOADS) && UPLOAD_NAME.test(name.slice(UPLOADS.length))
  if (entry.header.type !== 'file' || !(isUpload || DATA_NAME.test(name))) throw damaged('unknown entry')
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of entry) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { name, bytes, sha256: hash.digest('hex') }
}

function assertEqual(found: readonly ArchiveEntry[], expected: readonly ArchiveEntry[]): void {
  if (new Set(found.map(({ name }) => name)).size !== found.length) throw damaged('an entry is there twice')
  const missing = expected.find(({ name }, index) => found[index]?.name !== name)
  if (missing || found.length !== expected.length) throw damaged(`${missing?.name ?? 'an entry'} is missing`)
  const wrong = expected.find(({ bytes, sha256 }, index) => found[index]!.bytes !== bytes || found[index]!.sha256 !== sha256)
  if (wrong) throw damaged(`the checksum of ${wrong.name} is wrong`)
}

function readManifest(body: Buffer): Manifest {
  const { format } = parseJson(body) as { format?: unknown }
  if (typeof format === 'number' && format > FORMAT_VERSION)
    throw new BackupFileError('The backup was made by a newer version of Khamar: update this one first.')
  return readJson(body, manifestSchema)
}

function readJson<T>(body: Buffer, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(parseJson(body))
  if (!parsed.success) throw damaged('its description cannot be read')
  return parsed.data
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw damaged('its description cannot be read')
  }
}

async function readAll(entry: Entry): Promise<Buffer> {
  if ((entry.header.size ?? 0) > MAX_JSON_BYTES) throw damaged('its description is too large')
  const chunks: Buffer[] = []
  for await (const chunk of entry) chunks.push(chunk)
  return Buffer.concat(chunks)
}
