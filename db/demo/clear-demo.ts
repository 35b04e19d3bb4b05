// Deletes the demo's rows and files, and leaves the owner's own data.
import { verify } from '@node-rs/argon2'
import { sql, type RawBuilder } from 'kysely'
import { deleteFiles, recordDeletedFiles } from '#features/catalog/media/delete-orphaned-uploads.server.ts'
import { pictureFiles } from '#features/catalog/media/images.server.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { aggregateSales } from '#features/reports/aggregate-sales.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { inTransactionOrRollback } from '#lib/db/rollback.server.ts'
import type { Uploads } from '#lib/files/uploads.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { withoutTimeouts } from '../long-transaction.ts'
import { CATTLE } from './cattle.ts'
import { deleteWithDependents, isReferenced } from './dependents.ts'
import { IS_GENERATED } from './generated.ts'
import { DEMO_PASSWORD } from './people.ts'
import { findPublishedAccounts, PUBLISHED_EMAILS, PUBLISHED_PHONES } from './published-accounts.ts'
import { SEED_LOCK, videoName } from './seed-demo.ts'
import { endOf, seedingTime } from './seeding-time.ts'
import { demoSettings, settingsOf010 } from './settings.ts'

interface ClearOptions {
  uploads: Uploads
  now: Date
  /** Also deletes the orders, sales and shifts that are not the demo's. */
  allOrders: boolean
  /** Rolls back at the end and returns only the report. */
  isTrial?: boolean
}

export interface DemoReport {
  removed: { orders: number; products: number; people: number; coupons: number; pictures: number }
  remaining: {
    orders: number
    /** Demo products that a remaining order refers to. They are archived. */
    products: number
    /** Phones of demo accounts that remaining rows refer to. They are disabled and have no password. */
    disabledAccounts: string[]
    /** Phones of accounts that lost the published password and need a new one. */
    passwordsRemoved: string[]
  }
}

/**
 * Deletes the demo's products, orders, people, coupons and pictures in one transaction, then their files; the shop deletes those of a killed
 * process. Orders placed after the seeding remain with the rows they refer to, unless `allOrders`. Returns null when the database holds no demo.
 */
export async function clearDemo(db: Db, options: ClearOptions): Promise<DemoReport | null> {
  const cleared = await inTransactionOrRollback<DemoReport | null>(db, (outer, rollBack) =>
    withoutTimeouts(outer, async (tx) => {
      await sql`select pg_advisory_xact_lock(${SEED_LOCK})`.execute(tx)
      if (!(await holdsDemo(tx))) return null
      const result = await clear(tx, options)
      return options.isTrial ? rollBack(result) : result
    }),
  )
  if (cleared && !options.isTrial) await deleteFiles(db, options.uploads)
  return cleared
}

async function holdsDemo(tx: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from settings where key = 'demo_shop' and value = 'true'`.execute(tx)
  return rows.length > 0 || (await findPublishedAccounts(tx)).length > 0
}

async function clear(tx: Db, { now, allOrders }: ClearOptions): Promise<DemoReport> {
  const seededAt = await seedingTime(tx)
  if (allOrders) await releaseStock(tx)
  const orders = await deleteWithDependents(tx, 'orders', allOrders ? sql`true` : isDemoOrder(seededAt))
  if (allOrders) await deleteWithDependents(tx, 'pos_shifts', sql`true`)
  const products = await removeProducts(tx, seededAt, now)
  const coupons = await removeCoupons(tx, seededAt)
  await sql`delete from popups where image_id in (select id from images where is_illustration)`.execute(tx)
  await resetSettings(tx, seededAt)
  await closeEmptyShop(tx)
  const pictures = await removePictures(tx)
  await removeVideos(tx)
  const people = await removePeople(tx, seededAt, now)
  // Daily sums are rebuilt from the remaining orders.
  await tx.deleteFrom('sales_days').execute()
  await tx.deleteFrom('sales_day_categories').execute()
  await tx.updateTable('sales_progress').set({ next_event: 0, refreshed_at: null }).execute()
  await aggregateSales(tx, now)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from orders`.execute(tx)
  return {
    removed: { orders, products: products.removed, people: people.removed, coupons, pictures },
    remaining: {
      orders: rows[0]!.n,
      products: products.archived,
      disabledAccounts: people.disabled,
      passwordsRemoved: people.passwordsRemoved,
    },
  }
}

/** Matches demo orders, and generated bulk orders, whose customers are older than the demo. */
function isDemoOrder(seededAt: Date): RawBuilder<unknown> {
  return sql`(placed_at < ${endOf(seededAt)} or customer_id in (select id from users where role = 'customer' and created_at < ${seededAt}))`
}

/** Returns the stock that orders took from the owner's own products. */
async function releaseStock(tx: Db): Promise<void> {
  await sql`select sync_order_stock(order_id, '[]') from (select distinct order_id from stock_movements where order_id is not null) o`.execute(
    tx,
  )
  // Returned animals belong to deleted orders, so nothing is left to examine.
  await sql`select move_stock((select jsonb_agg(jsonb_build_object('product_id', id, 'movement', 'unhold', 'delta_milli', 0))
    from products where hold_reason = 'returned'))`.execute(tx)
  await tx.deleteFrom('returned_animals').execute()
}

/** Deletes demo products and generated bulk products. Archives those that a remaining order refers to. */
async function removeProducts(tx: Db, seededAt: Date, now: Date): Promise<{ removed: number; archived: number }> {
  const isDemo = sql`(created_at < ${endOf(seededAt)} or ${IS_GENERATED})`
  // Manual stock changes belong to no order.
  await sql`delete from stock_movements where order_id is null and product_id in (
    select id from products p where ${isDemo} and not exists (select 1 from order_lines l where l.product_id = p.id))`.execute(tx)
  const removed = await sql`delete from products "row" where ${isDemo} and not ${await isReferenced(tx, 'products')}`.execute(tx)
  const archived = await sql`update products set visible = false, archived_at = ${now}, version = version + 1
    where ${isDemo} and archived_at is null`.execute(tx)
  return { removed: Number(removed.numAffectedRows ?? 0), archived: Number(archived.numAffectedRows ?? 0) }
}

/** Deletes the demo's coupons. Deactivates those that a remaining order used. */
async function removeCoupons(tx: Db, seededAt: Date): Promise<number> {
  await sql`update coupons c set uses = (select count(*) from coupon_uses u where u.coupon_id = c.id and u.released_at is null)`.execute(tx)
  const { numAffectedRows } =
    await sql`delete from coupons "row" where created_at < ${endOf(seededAt)} and not ${await isReferenced(tx, 'coupons')}`.execute(tx)
  await sql`update coupons set active = false where created_at < ${endOf(seededAt)}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Resets settings that still have the demo's value: customers must never see its phone numbers and accounts. */
async function resetSettings(tx: Db, seededAt: Date): Promise<void> {
  const today = dhakaDate(seededAt)
  const demos: Record<string, unknown>[] = [demoSettings(today), settingsOf010(today)]
  const defaults: Record<string, unknown> = { ...DEFAULT_SETTINGS }
  const rows = await tx.selectFrom('settings').select(['key', 'value']).execute()
  for (const { key, value } of rows.filter((row) => row.key in demos[0]!)) {
    const own = JSON.stringify(demos.reduce<unknown>((rest, demo) => withoutDemo(rest, demo[key], defaults[key]), value))
    await tx.updateTable('settings').set({ value: own }).where('key', '=', key).execute()
  }
  await sql`delete from settings where key = 'hero' and exists (
    select 1 from images where is_illustration and settings.value::text like '%' || token || '%')`.execute(tx)
  // Marks the database so that the demo is not seeded again, even when it is empty.
  const marker = { key: 'demo_shop', value: 'false' }
  await tx
    .insertInto('settings')
    .values(marker)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(marker))
    .execute()
}

/** Texts of the demo become drafts. A shop without products or orders of its own closes, so that its owner sets it up first. */
async function closeEmptyShop(tx: Db): Promise<void> {
  await tx.updateTable('policy_pages').set({ is_draft: true }).where('version', '=', 1).execute()
  const closed = JSON.stringify({ isOpen: false, opensOn: '' })
  await sql`
    insert into settings (key, value) select 'opening', ${closed}::jsonb
    where not exists (select 1 from products where visible) and not exists (select 1 from orders)
    on conflict (key) do update set value = excluded.value`.execute(tx)
}

function withoutDemo(value: unknown, demo: unknown, standard: unknown): unknown {
  if (!isRecord(value) || !isRecord(demo) || !isRecord(standard)) return value === demo ? standard : value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key in demo ? withoutDemo(part, demo[key], standard[key]) : part]),
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Deletes illustrations that no row refers to, and no setting: the owner's logo is shown whole like them. Returns their number. */
async function removePictures(tx: Db): Promise<number> {
  const { rows } = await sql<{ token: string; widths: number[] }>`
    delete from images "row" where is_illustration and not ${await isReferenced(tx, 'images')}
      and not exists (select 1 from settings s where s.value::text like '%' || "row".token || '%') returning token, widths`.execute(tx)
  for (const picture of rows) await recordDeletedFiles(tx, pictureFiles(picture))
  return rows.length
}

/** The demo's videos have no rows. Those that a remaining product shows stay. */
async function removeVideos(tx: Db): Promise<void> {
  const { rows } = await sql<{ url: string }>`select video_url as url from product_media where kind = 'video'`.execute(tx)
  const shown = new Set(rows.map(({ url }) => url))
  const names = CATTLE.filter(({ video }) => video).map(({ tag }) => videoName(tag))
  await recordDeletedFiles(
    tx,
    names.filter((name) => !shown.has(`/uploads/${name}`)),
  )
}

interface RemovedPeople {
  removed: number
  disabled: string[]
  passwordsRemoved: string[]
}

/**
 * Deletes the published accounts and the demo's guests. Disables a published account that remaining rows refer to (an order, the audit
 * log). Removes the published password from accounts of the owner.
 */
async function removePeople(tx: Db, seededAt: Date, now: Date): Promise<RemovedPeople> {
  const published = (await findPublishedAccounts(tx)).map(({ id }) => id)
  const isPublished = sql`(phone = any(${PUBLISHED_PHONES}) and (created_at < ${endOf(seededAt)} or id = any(${published}::bigint[])))`
  const isGuest = sql`(role = 'customer' and password_hash is null and created_at < ${endOf(seededAt)})`
  await sql`delete from sms_outbox where order_id is null and phone in (select phone from users where ${isPublished} or ${isGuest})`.execute(
    tx,
  )
  // The history of the demo's orders names the demo's manager.
  await sql`delete from audit_log where subject = 'order' and at < ${endOf(seededAt)}`.execute(tx)
  const { numAffectedRows } =
    await sql`delete from users "row" where (${isPublished} or ${isGuest}) and not ${await isReferenced(tx, 'users')}`.execute(tx)
  const disabled = await sql<{ phone: string }>`
    update users set disabled_at = coalesce(disabled_at, ${now}), password_hash = null where ${isPublished} returning phone`.execute(tx)
  const passwordsRemoved = await removePasswords(tx, seededAt)
  await sql`update users set email = null, email_at = null where lower(email) = any(${PUBLISHED_EMAILS})`.execute(tx)
  const disabledPhones = disabled.rows.map(({ phone }) => phone)
  await deleteOfPeople(tx, ['second_factors', 'recovery_codes', 'pos_approval_codes'], disabledPhones)
  await deleteOfPeople(tx, ['sessions', 'push_subscriptions'], [...disabledPhones, ...passwordsRemoved])
  return { removed: Number(numAffectedRows ?? 0), disabled: disabledPhones, passwordsRemoved }
}

async function deleteOfPeople(tx: Db, tables: string[], phones: string[]): Promise<void> {
  for (const table of tables)
    await sql`delete from ${sql.table(table)} where user_id in (select id from users where phone = any(${phones}))`.execute(tx)
}

/** A demo account with a changed phone belongs to the owner: it remains, without the published password. */
async function removePasswords(tx: Db, seededAt: Date): Promise<string[]> {
  const { rows } = await sql<{ id: number; phone: string; password_hash: string }>`
    select id, phone, password_hash from users
    where password_hash is not null and (created_at < ${endOf(seededAt)} or lower(email) = any(${PUBLISHED_EMAILS})) order by id`.execute(
    tx,
  )
  const removed: string[] = []
  for (const { id, phone, password_hash } of rows) {
    if (!(await verify(password_hash, DEMO_PASSWORD).catch(() => false))) continue
    await tx.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()
    removed.push(phone)
  }
  return removed
}
