import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { lockOrdersOfProducts, lockProducts } from '#features/stock/stock.server.ts'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { type ImportLine, planImport, type PlannedLine } from './plan-import.server.ts'
import { type CsvRead, readProductsCsv } from './read-csv.server.ts'
import { insertProducts, updateProducts } from './write-products.server.ts'
import { insertProduct, updateProduct } from './write-product.server.ts'

export interface ImportSums {
  create: number
  change: number
  same: number
  error: number
}

export interface ImportPlan {
  sums: ImportSums
  /** Those with errors first, then what would change; not all of a long file. */
  lines: ImportLine[]
  unknown: string[]
  /** Stands for exactly this plan: sent back, it is done. */
  seen: string
}

export type ImportResult =
  | { ok: true; plan: ImportPlan; isDone: boolean }
  | { ok: false; reason: 'stale' | 'errors'; plan: ImportPlan }
  | Extract<CsvRead, { ok: false }>

const MAX_SHOWN = 200
class Undone extends Error {}

/** Says what a file would change; with the plan's own sign, writes all of it or nothing. The same file once more changes nothing. */
export async function importProducts(db: Db, who: Actor, csv: string, seen: string | null, today: string): Promise<ImportResult> {
  const read = readProductsCsv(csv)
  if (!read.ok) return read
  const look = async (from: Db): Promise<[PlannedLine[], ImportPlan]> => {
    const lines = await planImport(from, read.columns, read.rows, today)
    return [lines, planOf(lines, read.unknown)]
  }
  if (seen === null) return { ok: true, plan: (await look(db))[1], isDone: false }
  try {
    return await inTransaction(db, async (tx): Promise<ImportResult> => {
      // One file at a time: two that bring the same new product would bring it twice.
      await sql`select pg_advisory_xact_lock(hashtext('import of products'))`.execute(tx)
      // Locked, then looked at: what is written is what was planned. By number, as orders lock them, so that nobody waits in a circle.
      const changed = (await look(tx))[0].flatMap(({ action, id, form }) =>
        action === 'change' && id !== null && form !== null ? [{ id, day: form.delivery_on }] : [],
      )
      await lockOrdersOfProducts(tx, changed)
      await lockProducts(
        tx,
        changed.map(({ id }) => id),
      )
      const [lines, plan] = await look(tx)
      if (plan.seen !== seen) return { ok: false, reason: 'stale', plan }
      if (plan.sums.error > 0) return { ok: false, reason: 'errors', plan }
      await writeAll(tx, who, lines, today)
      await audit(tx, who, { action: 'imported', subject: 'product', id: '', after: plan.sums })
      return { ok: true, plan, isDone: true }
    })
  } catch (error) {
    // Somebody saved one of them between the look and the lock.
    if (!(error instanceof Undone) && constraintOf(error) === null) throw error
    return { ok: false, reason: 'stale', plan: (await look(db))[1] }
  }
}

async function writeAll(tx: Db, who: Actor, all: PlannedLine[], today: string): Promise<void> {
  const lines = all.filter(({ action }) => action === 'create' || action === 'change')
  const isOne = ({ kind, form }: PlannedLine) => kind === 'animal' || form?.videos.some((url) => url.startsWith('/'))
  for (const line of lines.filter(isOne)) await writeOne(tx, who, line, today)
  const goods = lines.filter((line) => !isOne(line))
  await updateProducts(
    tx,
    who,
    goods.flatMap(({ id, form, version }) => (form !== null && version !== null && id !== null ? [{ id, form }] : [])),
  )
  await insertProducts(
    tx,
    who,
    goods.flatMap(({ form, version }) => (form !== null && version === null ? [form] : [])),
  )
}

/** Animals have claims, rates and weighings to be held against, and videos of the shop must be there: one by one. */
async function writeOne(tx: Db, who: Actor, line: PlannedLine, today: string): Promise<void> {
  if (line.form === null) return
  const written =
    line.version === null
      ? await insertProduct(tx, who, line.form, today)
      : await updateProduct(tx, who, line.id as number, line.version, line.form)
  if (!written.ok) throw new Undone(`line ${line.line}: ${written.reason}`)
}

const RANK = { error: 0, create: 1, change: 1, same: 2 }

function planOf(lines: PlannedLine[], unknown: string[]): ImportPlan {
  const sums: ImportSums = { create: 0, change: 0, same: 0, error: 0 }
  for (const { action } of lines) sums[action] += 1
  const seen = createHash('sha256').update(JSON.stringify(lines)).digest('hex')
  const shown = lines
    .filter(({ action }) => action !== 'same')
    .toSorted((a, b) => RANK[a.action] - RANK[b.action] || a.line - b.line)
    .slice(0, MAX_SHOWN)
    .map(({ form: _form, version: _version, kind: _kind, ...line }) => line)
  return { sums, lines: shown, unknown, seen }
}
