import { sql } from 'kysely'
import { type Actor, type AuditEntry, auditAll } from '#features/audit/audit.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { NewProductForm, ProductForm } from './forms.ts'
import { forLog, listProductRecords } from './product-editor-queries.server.ts'
import { recordInitialStock } from '#features/stock/stock.server.ts'
import { toColumns, newProductContext, writeRelations } from './write-product.server.ts'

// Writes thousands of products of an import in a few statements, with the same result as one by one. Orders wait for the locked rows, so
// it must be fast. The caller has validated the forms and locked the rows.

/** Rows per statement, so that each stays far below the statement timeout. */
const BATCH_SIZE = 250

/** Updates products that are not animals. Animals are updated one by one with `updateProduct`. */
export async function updateProducts(tx: Db, actor: Actor, changes: readonly { id: number; form: ProductForm }[]): Promise<void> {
  for (const some of chunks(changes)) {
    const before = await recordsOf(tx, some)
    const rows = some.map(({ id, form }) => ({ id, ...toColumns(form, 'goods', form.price ?? 0) }))
    const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== 'id')
    await sql`update products p set ${sql.join(columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`r.${name}`)}`))}, version = p.version + 1
      from jsonb_populate_recordset(null::products, ${JSON.stringify(rows)}::jsonb) r where p.id = r.id`.execute(tx)
    for (const { id, form } of some) await writeRelations(tx, id, form, before.get(id))
    const after = await recordsOf(tx, some)
    await auditAll(
      tx,
      actor,
      some.map(({ id }) => ({ ...entry('changed', id), before: logged(before, id), after: logged(after, id) })),
    )
  }
}

/** Creates products that are not animals; a used barcode throws. */
export async function insertProducts(tx: Db, actor: Actor, forms: readonly NewProductForm[]): Promise<void> {
  for (const some of chunks(forms)) {
    const { rows: ids } = await sql<{
      id: number
    }>`select nextval(pg_get_serial_sequence('products', 'id'))::bigint as id from generate_series(1, ${some.length}::int)`.execute(tx)
    const fresh = some.map((form, index) => ({ id: ids[index]!.id, form }))
    const rows = fresh.map(({ id, form }) => {
      const { status, stockMilli } = newProductContext(form, [])
      return { id, ...toColumns({ ...form, status }, 'goods', form.price ?? 0), is_unique: false, stock_milli: stockMilli }
    })
    const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)))
    await sql`insert into products (${columns}) overriding system value
      select ${columns} from jsonb_populate_recordset(null::products, ${JSON.stringify(rows)}::jsonb) order by id`.execute(tx)
    await recordInitialStock(tx, rows)
    for (const { id, form } of fresh) await writeRelations(tx, id, form)
    const after = await recordsOf(tx, fresh)
    await auditAll(
      tx,
      actor,
      fresh.map(({ id }) => ({ ...entry('created', id), after: logged(after, id) })),
    )
  }
}

const entry = (action: 'created' | 'changed', id: number) => ({ action, subject: 'product', id }) satisfies AuditEntry

type Records = Awaited<ReturnType<typeof recordsOf>>

async function recordsOf(tx: Db, rows: readonly { id: number }[]) {
  const records = await listProductRecords(tx, sql`p.id = any(${rows.map(({ id }) => id)}::bigint[])`)
  return new Map(records.map((record) => [record.id, record]))
}

function logged(records: Records, id: number): object {
  const record = records.get(id)
  if (!record) throw new Error(`product ${id} was deleted while it was written`)
  return forLog(record)
}

function* chunks<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += BATCH_SIZE) yield rows.slice(from, from + BATCH_SIZE)
}
