import { readdirSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const MIN_BYTES = 1024
/** Node compresses on its thread pool, which has four threads by default. */
const PARALLEL = 4

/**
 * Writes `.br` and `.gz` beside each file of the folder that compresses well, so that no request waits for compression.
 * Calls may overlap: a file belongs to the first call that finds it (`seen`).
 */
export async function precompress(dir: string, seen: Set<string>): Promise<void> {
  const names = readdirSync(dir).filter((name) => /\.(js|css|svg|json|wasm)$/.test(name) && !seen.has(name))
  for (const name of names) seen.add(name)
  const files = await Promise.all(names.map(async (name) => ({ path: join(dir, name), bytes: (await stat(join(dir, name))).size })))
  // Sorted by size and taken from the end: a large file must not be the last one, with the other threads idle.
  const queue = files.filter(({ bytes }) => bytes >= MIN_BYTES).toSorted((a, b) => a.bytes - b.bytes)
  const compressNext = async (): Promise<void> => {
    for (let file = queue.pop(); file; file = queue.pop()) await compressFile(file.path)
  }
  await Promise.all(Array.from({ length: PARALLEL }, compressNext))
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
}
