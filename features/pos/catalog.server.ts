import { sql } from 'kysely'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import { unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { poisha } from '#lib/format/money.ts'
import type { CatalogPart, CatalogRow } from './device-catalog.ts'

/** Rows of a part: some 150 KB compressed, and a moment of the database. */
const PART = 4000
/** SerializedResult when a transaction began, told a moment later: how far the clocks of both may be apart. */
const SLACK = '10 seconds'
/** Rises when rows mean something else: devices then load everything anew. */
const FORM = 1

interface Read {
  id: number
  updated: string
  visible: boolean
  discount_kind: 'percentage' | 'fixed' | null
  discount_value: number | null
  row: CatalogRow
}

/**
 * A part of what tills keep on their device: all that is sold, in the order of its numbers, or what has changed since an earlier
 * answer. `after` is the `next` of the part before. Null where `since` or `after` is nothing that was ever answered.
 */
export async function readCatalog(db: Db, since: string | null, after: string | null): Promise<Omit<CatalogPart, 'limit'> | null> {
  const asked = since === null ? null : readSince(since)
  const place = after === null ? null : parseCursor(after)
  if ((since !== null && !asked) || (after !== null && !place)) return null
  // Before the products are read: whatever is not visible to that reading began after this moment or is still running now.
  const now = await readMoment(db)
  const from = asked?.database === now.database ? asked.micros : null
  if (from === null && place && place.micros !== '0') return null
  const read = from === null ? await readAll(db, place?.id ?? 0) : await readChanged(db, from, place)
  const page = read.slice(0, PART)
  const last = read.length > PART ? page.at(-1) : undefined
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

/** Which database this is (one that came back from a backup is another), and since when everything is told. */
async function readMoment(db: Db): Promise<{ database: string; micros: string }> {
  const { rows } = await sql<{ database: string; micros: string }>`
    select ${FORM} || '-' || (select system_identifier from pg_control_system()) || '-' ||
        (select oid from pg_database where datname = current_database()) as database,
      (extract(epoch from least(clock_timestamp(), (select min(xact_start) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid())) - interval '${sql.raw(SLACK)}') * 1000000)::bigint::text as micros`.execute(
    db,
  )
  return rows[0]!
}

async function readGroups(db: Db): Promise<Record<string, DeliveryGroup>> {
  const { rows } = await sql<{
    id: number
    group: DeliveryGroup
  }>`select id, delivery_group as "group" from categories order by id`.execute(db)
  return Object.fromEntries(rows.map(({ id, group }) => [id, group]))
}

async function readAll(db: Db, afterId: number): Promise<Read[]> {
  const { rows } =
    await sql<Read>`select ${columns} from products p where p.visible and p.id > ${afterId} order by p.id limit ${PART + 1}`.execute(db)
  return rows
}

const instant = (micros: string) => sql`to_timestamp(${micros}::bigint / 1000000.0)`

async function readChanged(db: Db, from: string, place: { micros: string; id: number } | null): Promise<Read[]> {
  const begin = place
    ? sql`(p.updated_at, p.id) > (timestamptz 'epoch' + ${place.micros}::bigint * interval '1 microsecond', ${place.id})`
    : sql`p.updated_at >= ${instant(from)}`
  const { rows } = await sql<Read>`select ${columns} from products p where ${begin} order by p.updated_at, p.id limit ${PART + 1}`.execute(
    db,
  )
  return rows
}

const columns = sql`p.id, (extract(epoch from p.updated_at) * 1000000)::bigint::text as updated, p.visible, p.discount_kind, p.discount_value,
  json_build_array(p.id, p.name_en, p.name_bn, concat_ws(' ', p.breed_en, p.breed_bn, nullif(p.search_aliases, '')), p.price_poisha, p.unit,
    p.status, p.stock_milli, p.is_unique::int, p.category_id, p.shipping_poisha, p.barcode, p.tag_number,
    (select i.token || '-' || i.widths[1] from product_media m join images i on i.id = m.image_id
       where m.product_id = p.id order by m.position limit 1)) as row`

const PRICE = 4

function withPrice({ row, discount_kind: kind, discount_value: value }: Read): CatalogRow {
  const base = poisha(row[PRICE])
  return row.with(PRICE, kind === null || value === null ? base : unitPriceAfterDiscount(base, { kind, value })) as CatalogRow
}
