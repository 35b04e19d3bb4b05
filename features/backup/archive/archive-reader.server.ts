import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createZstdDecompress } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import type { z } from 'zod'
import {
  type ArchiveEntry,
  BackupFileError,
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

type Entry = AsyncIterable<Buffer> & { header: Header; resume(): unknown }

const MAX_JSON_BYTES = 256 * 1024 * 1024
const DAMAGED = 'The backup file is damaged or incomplete'

/** Reads the entries in their order; each must be read to its end. Throws a `BackupFileError` for a damaged or truncated file. */
async function* entriesOf(file: string): AsyncGenerator<Entry> {
  const source = createReadStream(file)
  const decompress = createZstdDecompress()
  const tar = extract()
  // Errors go along the chain to the iterator, which throws them.
  source.on('error', (error) => decompress.destroy(error))
  decompress.on('error', (error) => tar.destroy(error))
  source.pipe(decompress).pipe(tar)
  try {
    for await (const entry of tar) yield entry as Entry
  } catch (error) {
    if (error instanceof BackupFileError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR') throw new BackupFileError(`The file ${file} cannot be read.`)
    if (/^(ZSTD|Z_|ERR_)|^E/.test(code ?? '') || /tar|unexpected end/i.test((error as Error).message))
      throw new BackupFileError(`${DAMAGED}: ${(error as Error).message}.`)
    throw error
  } finally {
    source.destroy()
    decompress.destroy()
  }
}

/** Reads the whole file and compares every entry with its checksum. Throws a `BackupFileError`; nothing is written. */
export async function checkArchive(file: string): Promise<{ manifest: Manifest; contents: Contents }> {
  const found: ArchiveEntry[] = []
  let manifest: Manifest | null = null
  let contents: Contents | null = null
  for await (const entry of entriesOf(file)) {
    const { name } = entry.header
    if (contents) throw new BackupFileError(`${DAMAGED}: it goes on after its end.`)
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
  if (!manifest || !contents) throw new BackupFileError(`${DAMAGED}: its end is missing.`)
  assertEqual(found, contents.entries)
  return { manifest, contents }
}

/** Reads the file again for `take`; the body of an entry that it does not read is skipped. A changed entry throws a `BackupFileError`. */
export async function readArchive(
  file: string,
  contents: Contents,
  take: (name: string, body: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const expected = new Map(contents.entries.map((entry) => [entry.name, entry]))
  for await (const entry of entriesOf(file)) {
    const { name } = entry.header
    if (name === CONTENTS) {
      entry.resume()
      continue
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
    if (hash.digest('hex') !== expected.get(name)?.sha256) throw new BackupFileError(`${DAMAGED}: ${name} has changed meanwhile.`)
  }
}

async function measureEntry(entry: Entry): Promise<ArchiveEntry> {
  const { name } = entry.header
  const isUpload = name.startsWith(UPLOADS) && UPLOAD_NAME.test(name.slice(UPLOADS.length))
  if (entry.header.type !== 'file' || !(isUpload || DATA_NAME.test(name))) throw new BackupFileError(`${DAMAGED}: unknown entry.`)
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of entry) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { name, bytes, sha256: hash.digest('hex') }
}

function assertEqual(found: readonly ArchiveEntry[], expected: readonly ArchiveEntry[]): void {
  if (new Set(found.map(({ name }) => name)).size !== found.length) throw new BackupFileError(`${DAMAGED}: an entry is there twice.`)
  const missing = expected.find(({ name }, index) => found[index]?.name !== name)
  if (missing || found.length !== expected.length) throw new BackupFileError(`${DAMAGED}: ${missing?.name ?? 'an entry'} is missing.`)
  const wrong = expected.find(({ bytes, sha256 }, index) => found[index]!.bytes !== bytes || found[index]!.sha256 !== sha256)
  if (wrong) throw new BackupFileError(`${DAMAGED}: the checksum of ${wrong.name} is wrong.`)
}

function readManifest(body: Buffer): Manifest {
  const { format } = parseJson(body) as { format?: unknown }
  if (typeof format === 'number' && format > FORMAT_VERSION)
    throw new BackupFileError('The backup was made by a newer version of Khamar: update this one first.')
  return readJson(body, manifestSchema)
}

function readJson<T>(body: Buffer, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(parseJson(body))
  if (!parsed.success) throw new BackupFileError(`${DAMAGED}: its description cannot be read.`)
  return parsed.data
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new BackupFileError(`${DAMAGED}: its description cannot be read.`)
  }
}

async function readAll(entry: Entry): Promise<Buffer> {
  if ((entry.header.size ?? 0) > MAX_JSON_BYTES) throw new BackupFileError(`${DAMAGED}: its description is too large.`)
  const chunks: Buffer[] = []
  for await (const chunk of entry) chunks.push(chunk)
  return Buffer.concat(chunks)
}
