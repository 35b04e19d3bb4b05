import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startShopProcess } from '#test/shop-process.ts'
import { inTurns, medianRatio } from './compare.ts'
import type { Bench } from './database.ts'
import { get, areAll } from './load.ts'
import { type Finding, formatMeasured } from './report.ts'

const GOAL = 0.8
const FEW = 100
const MANY = 20_000
const PICTURE_BYTES = 4_000

/** One picture of a folder of uploads with many files, against one of a folder with few. */
export async function benchFiles(bench: Bench): Promise<Finding[]> {
  const databaseUrl = await bench.database(0)
  const folders = [FEW, MANY].map(fillFolder) as [string, string]
  const shops = await Promise.all(folders.map((dataDir) => startShopProcess({ databaseUrl, dataDir })))
  try {
    const [few, many] = shops.map((shop) => ({ ...shop, next: () => get(shop.url, `/uploads/${nameOf(0)}`) }))
    const result = await inTurns({ few: few!, many: many! })
    const ratio = medianRatio(result.many.rates, result.few.rates)
    return [
      {
        what: `picture of ${MANY} over one of ${FEW}`,
        goal: `≥ ${GOAL}`,
        measured: `${ratio.toFixed(2)} — ${formatMeasured(result.many)} to ${formatMeasured(result.few)}`,
        reached: ratio >= GOAL && areAll({ ...result.few.statuses, ...result.many.statuses }),
      },
    ]
  } finally {
    for (const shop of shops) await shop.stop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

const nameOf = (index: number) => `${index.toString(16).padStart(32, '0')}-320.webp`

/** A data folder with uploads. */
function fillFolder(files: number): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'khamar-bench-'))
  const uploads = path.join(dataDir, 'uploads')
  mkdirSync(uploads)
  const bytes = Buffer.alloc(PICTURE_BYTES, 'x')
  for (let index = 0; index < files; index++) writeFileSync(path.join(uploads, nameOf(index)), bytes)
  return dataDir
}
