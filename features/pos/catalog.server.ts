import { sql } from 'kysely'
import type { DeliveryGroup, DiscountType } from '#features/catalog/types.ts'
import { storedDiscount, unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { fromMicros, toMicros } from '#lib/db/keyset.server.ts'
import { poisha } from '#lib/format/money.ts'
import type { CatalogPart, CatalogRow } from './device-catalog.ts'

/** Rows of a part: some 150 KB compressed. */
const PART_ROWS = 4000
/** Tolerance between the clock of a transaction's start and the clock of its visibility. */
const CLOCK_TOLERANCE = '10 seconds'
/** Version of the row format: a new one makes devices load everything. */
const FORMAT_VERSION = 3

interface Read {
  id: number
  updated: string
  visible: boolean
  discount_kind: DiscountType | null
  discount_value: number | null
  row: CatalogRow
}

/**
 * A part of the catalog for POS devices: all visible products by id, or the changes after the cursor `since`. `after` is the `next` of the
 * previous part. Null where a cursor is malformed.
 */
export async function readCatalog(
  db: Db,
  since: string | null,
  after: string | null,
): Promise<Omit<CatalogPart, 'limit' | 'shift_id' | 'latest_shift_id'> | null> {
  const cursor = since === null ? null : readSince(since)
  const position = after === null ? null : parseCursor(after)
  if ((since !== null && !cursor) || (after !== null && !position)) return null
  // Read before the products: a transaction not visible to that query began after this moment or is still running.
  const now = await readMoment(db)
  const from = cursor?.database === now.database ? cursor.micros : null
  if (from === null && position && position.micros !== '0') return null
  const read = from === null ? await readAll(db, position?.id ?? 0) : await readChanged(db, from, position)
  const page = read.slice(0, PART_ROWS)
  const last = read.length > PART_ROWS ? page.at(-1) : undefined
  return {
    full: from === null,
    since: `${now.database}.${now.micros}`,
    groups: await readGroups(db),
    rows: page.filter(({ visible }) => visible).map(withPrice),
    gone: from === null ? [] : page.filter(({ visible }) => !visible).map(({ id }) => id),
    next: last ? `${from === null ? '0' : last.updated}.${last.id}` : null,
  }
}

function readSince(text: string) {
  const [, database, micros] = /^([\w-]{1,60})\.(\d{1,18})$/.exec(text) ?? []
  return database && micros ? { database, micros } : null
}

function parseCursor(text: string) {
  const [, micros, id] = /^(\d{1,18})\.(\d{1,15})$/.exec(text) ?? []
  return micros && id ? { micros, id: Number(id) } : null
}

/**
 * The identity of the data and the time from which the next request loads changes. Every way back changes the identity, so that devices load
 * everything: another database its oid, a restore in place (`--replace`) the oid of the table, a recovery to an earlier moment the timeline,
 * with which the name of a WAL file begins.
 */
async function readMoment(db: Db): Promise<{ database: string; micros: string }> {
  const { rows } = await sql<{ database: string; micros: string }>`
    select ${FORMAT_VERSION} || '-' || (select system_identifier from pg_control_system()) || '-' ||
        (select oid from pg_database where datname = current_database()) || '-' || 'products'::regclass::oid || '-' ||
        left(pg_walfile_name(pg_current_wal_lsn()), 8) as database,
      (extract(epoch from least(clock_timestamp(), (select min(xact_start) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid())) - interval '${sql.raw(CLOCK_TOLERANCE)}') * 1000000)::bigint::text as micros`.execute(
    db,
  )
  return rows[0]!
}

async function readGroups(db: Db): Promise<Record<string, DeliveryGroup>> {
  const rows = await db.selectFrom('categories').select(['id', 'delivery_group']).orderBy('id').execute()
  return Object.fromEntries(rows.map((row) => [row.id, row.delivery_group]))
}

async function readAll(db: Db, afterId: number): Promise<Read[]> {
  const { rows } =
    await sql<Read>`select ${columns} from products p where p.visible and p.id > ${afterId} order by p.id limit ${PART_ROWS + 1}`.execute(
      db,
    )
  return rows
}

async function readChanged(db: Db, from: string, position: { micros: string; id: number } | null): Promise<Read[]> {
  const begin = position
    ? sql`(p.updated_at, p.id) > (${fromMicros(sql`${position.micros}`)}, ${position.id})`
    : sql`p.updated_at >= ${fromMicros(sql`${from}`)}`
  const { rows } =
    await sql<Read>`select ${columns} from products p where ${begin} order by p.updated_at, p.id limit ${PART_ROWS + 1}`.execute(db)
  return rows
}

const columns = sql`p.id, ${toMicros(sql`p.updated_at`)}::text as updated, p.visible, p.discount_kind, p.discount_value,
  json_build_array(p.id, p.name_en, p.name_bn, concat_ws(' ', p.breed_en, p.breed_bn, nullif(p.search_aliases, '')), p.price_poisha, p.unit,
    p.status, p.stock_milli, p.is_unique::int, p.category_id, p.shipping_poisha, p.barcode, p.tag_number,
    (select i.token || '-' || i.widths[1] from product_media m join images i on i.id = m.image_id
       where m.product_id = p.id order by m.position limit 1),
    nullif(p.sizes_milli::integer[], '{}'), p.delivery_on) as row`

const PRICE = 4

function withPrice({ row, ...discount }: Read): CatalogRow {
  return row.with(PRICE, unitPriceAfterDiscount(poisha(row[PRICE]), storedDiscount(discount))) as CatalogRow
}
