import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const fileOf = (dataDir: string) => path.join(dataDir, 'address')

/** Stores the public address of a running shop beside its embedded database, for commands without its settings. Returns the removal. */
export function storeShopAddress(dataDir: string, publicUrl: string): () => Promise<void> {
  writeFileSync(fileOf(dataDir), `${publicUrl}\n`)
  return async () => rmSync(fileOf(dataDir), { force: true })
}

/** The address of the shop that runs on the folder; null where none is stored. A killed shop leaves it behind. */
export function readShopAddress(dataDir: string): string | null {
  try {
    return readFileSync(fileOf(dataDir), 'utf8').trim() || null
  } catch {
    return null
  }
}
