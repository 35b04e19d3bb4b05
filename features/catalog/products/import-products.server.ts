import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { lockProductsWithOrders } from '#features/stock/stock.server.ts'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { type ImportDays, type ImportLine, planImport, type PlannedLine } from './plan-import.server.ts'
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
  /** Lines with errors first, then lines with changes; at most 200. */
  lines: ImportLine[]
  unknown: string[]
  /** Columns of new products alone in which the file has other values than stored products. */
  ignored: string[]
  /** The hash of the plan. A request with it applies exactly this plan. */
  previewHash: string
}

export type ImportResult =
  | { ok: true; plan: ImportPlan; isDone: boolean }
  | { ok: false; reason: 'stale' | 'errors'; plan: ImportPlan }
  | Extract<CsvRead, { ok: false }>

const MAX_SHOWN = 200
class ImportConflict extends Error {}

/** Imports products. Without `previewHash` it returns the plan; with the hash of the plan it writes all lines or none. Importing twice changes nothing. */
export async function importProducts(
  db: Db,
  actor: Actor,
  csv: string,
  previewHash: string | null,
  days: ImportDays,
): Promise<ImportResult> {
  const read = readProductsCsv(csv)
  if (!read.ok) return read
  const makePlan = async (from: Db): Promise<[PlannedLine[], ImportPlan]> => {
    const { lines, ignored } = await planImport(from, read.columns, read.rows, days)
    return [lines, planOf(lines, { unknown: read.unknown, ignored })]
  }
  if (previewHash === null) return { ok: true, plan: (await makePlan(db))[1], isDone: false }
  try {
    return await inTransaction(db, async (tx): Promise<ImportResult> => {
      // One import at a time: two files with the same new product would create it twice.
      await sql`select pg_advisory_xact_lock(hashtext('import of products'))`.execute(tx)
      // The plan is made again under locks, so that exactly the plan is written. Rows are locked in the lock order, by id.
      const changed = (await makePlan(tx))[0].flatMap(({ action, id, form }) =>
        action === 'change' && id !== null && form !== null ? [{ id, day: form.delivery_on }] : [],
      )
      await lockProductsWithOrders(tx, changed)
      const [lines, plan] = await makePlan(tx)
      if (plan.previewHash !== previewHash) return { ok: false, reason: 'stale', plan }
      if (plan.sums.error > 0) return { ok: false, reason: 'errors', plan }
      await writeAll(tx, actor, lines, days.today)
      await audit(tx, actor, { action: 'imported', subject: 'product', id: '', after: plan.sums })
      return { ok: true, plan, isDone: true }
    })
  } catch (error) {
    // Another transaction changed a product between the plan and the lock.
    if (!(error instanceof ImportConflict) && constraintOf(error) === null) throw error
    return { ok: false, reason: 'stale', plan: (await makePlan(db))[1] }
  }
}

async function writeAll(tx: Db, actor: Actor, all: PlannedLine[], today: string): Promise<void> {
  const lines = all.filter(({ action }) => action === 'create' || action === 'change')
  const isWrittenAlone = ({ kind, form }: PlannedLine) => kind === 'animal' || form?.videos.some((url) => url.startsWith('/'))
  for (const line of lines.filter(isWrittenAlone)) await writeOne(tx, actor, line, today)
  const goods = lines.filter((line) => !isWrittenAlone(line))
  await updateProducts(
    tx,
    actor,
    goods.flatMap(({ id, form, version }) => (form !== null && version !== null && id !== null ? [{ id, form }] : [])),
  )
  await insertProducts(
    tx,
    actor,
    goods.flatMap(({ form, version }) => (form !== null && version === null ? [form] : [])),
  )
}

/** Writes one product. Animals and products with uploaded videos need checks that the batch does not have. */
async function writeOne(tx: Db, actor: Actor, line: PlannedLine, today: string): Promise<void> {
  if (line.form === null) return
  const written =
    line.version === null
      ? await insertProduct(tx, actor, line.form, today)
      : await updateProduct(tx, actor, line.id as number, line.version, line.form)
  if (!written.ok) throw new ImportConflict(`line ${line.line}: ${written.reason}`)
}

const RANK = { error: 0, create: 1, change: 1, same: 2 }

function planOf(lines: PlannedLine[], columns: Pick<ImportPlan, 'unknown' | 'ignored'>): ImportPlan {
  const sums: ImportSums = { create: 0, change: 0, same: 0, error: 0 }
  for (const { action } of lines) sums[action] += 1
  const previewHash = createHash('sha256').update(JSON.stringify(lines)).digest('hex')
  const shown = lines
    .filter(({ action }) => action !== 'same')
    .toSorted((a, b) => RANK[a.action] - RANK[b.action] || a.line - b.line)
    .slice(0, MAX_SHOWN)
    .map(({ form: _form, version: _version, kind: _kind, ...line }) => line)
  return { sums, lines: shown, ...columns, previewHash }
}
