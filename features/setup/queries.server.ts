import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { HAS_SECOND_FACTOR, IS_STAFF } from '#features/auth/user-conditions.server.ts'
import { isInKeyedCategory } from '#features/catalog/keyed-category.server.ts'
import { IS_ORDERABLE } from '#features/catalog/orderable.server.ts'
import { ABOUT_SLUGS, POLICY_SLUGS } from '#features/catalog/policies/slugs.ts'
import { DELIVERY_GROUPS } from '#features/catalog/types.ts'
import { hasOpenWeekday } from '#features/settings/open-weekdays.ts'
import { isBackupFileMissing, isCheckMissing, lastBackup } from '#features/backup/queries.server.ts'
import { listJobs } from '#features/jobs/job-state.server.ts'
import { findSmsProvider } from '#features/messaging/queries.server.ts'
import { IS_HANDED_OVER } from '#features/orders/status-conditions.server.ts'
import { proposedSeason, seasonStart } from '#features/settings/season-rules.ts'
import { DEFAULT_SETTINGS, type Settings } from '#features/settings/settings.ts'
import type { Db } from '#lib/db/db.server.ts'
import { DHAKA_TODAY } from '#lib/db/dhaka-day.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { HOUR_MS, daysBefore, dhakaDate } from '#lib/format/time.ts'
import { LANGS } from '#lib/i18n/lang.ts'
import type { HealthSnapshot } from './health-rules.ts'
import type { ShopSnapshot } from './setup-rules.ts'

/** What the caller knows of the process. */
export interface ShopContext {
  settings: Settings
  gateways: string[]
  sendsSms: boolean
  now: Date
}

type Counts = Pick<
  ShopSnapshot,
  | 'activeAreas'
  | 'draftPolicies'
  | 'draftAboutPages'
  | 'visibleProducts'
  | 'hiddenProducts'
  | 'staff'
  | 'kurbaniAnimals'
  | 'kurbaniWithoutDay'
  | 'animalsWithoutAdvance'
>

/** Counts what the set-up looks at. A missing policy page counts as a draft. */
export async function countForSetup(db: Db, settings: Settings): Promise<Counts> {
  const { rows } = await sql<SnakeCased<Omit<Counts, 'activeAreas'>>>`select
    (select ${POLICY_SLUGS.length}::int - count(*)::int from policy_pages where not is_draft and slug = any(${[...POLICY_SLUGS]}::text[])) as draft_policies,
    (select ${ABOUT_SLUGS.length}::int - count(*)::int from policy_pages where not is_draft and slug = any(${[...ABOUT_SLUGS]}::text[])) as draft_about_pages,
    (select count(*)::int from (select 1 from products where visible limit 1000) p) as visible_products,
    (select count(*)::int from (select 1 from products where not visible and archived_at is null limit 1000) p) as hidden_products,
    (select count(*)::int from users where ${IS_STAFF} and role <> 'owner' and disabled_at is null) as staff,
    (select count(*)::int from (select 1 from products p where p.visible and (${IS_ORDERABLE} or p.status = 'hold')
        and ${isInKeyedCategory('kurbani')} limit 1000) k) as kurbani_animals,
    (select count(*)::int from (select 1 from products p where p.visible and ${IS_ORDERABLE} and p.is_unique and ${isInKeyedCategory('kurbani')}
        and (p.delivery_on > ${DHAKA_TODAY}) is not true limit 1000) d) as kurbani_without_day,
    (select count(*)::int from (select 1 from products p join categories c on c.id = p.category_id
      where p.visible and ${IS_ORDERABLE} and p.is_unique and c.delivery_group = 'cattle' and not c.cod_allowed
        and p.advance_minimum_poisha = 0 and p.advance_percent_bp = 0 limit 1000) a) as animals_without_advance`.execute(db)
  return {
    ...toCamel<Omit<Counts, 'activeAreas'>>(rows[0]!),
    activeAreas: await countDeliverableAreas(db, settings.delivery_days.closed_weekdays),
  }
}

/** The number of active areas that some product is delivered to on some weekday. */
async function countDeliverableAreas(db: Db, closedByShop: readonly number[]): Promise<number> {
  const { rows } = await sql<{ closed: number[] }>`select closed_weekdays as closed from areas a where active
    and (select count(*) from area_charges c where c.area_id = a.id and not c.is_open) < ${DELIVERY_GROUPS.length}`.execute(db)
  return rows.filter(({ closed }) => hasOpenWeekday(closedByShop, closed)).length
}

/** The snapshot for the set-up. */
export async function readShopSnapshot(db: Db, { settings, gateways, sendsSms, now }: ShopContext): Promise<ShopSnapshot> {
  const [counts, provider] = await Promise.all([countForSetup(db, settings), findSmsProvider(db)])
  const { shop, payment_numbers: numbers, kurbani, delivery_days: days, certificates_text: certificates } = settings
  const today = dhakaDate(now)
  return {
    ...counts,
    today,
    isOpen: settings.opening.isOpen,
    // Shoppers of the other language would see the default.
    hasOwnName: LANGS.every((lang) => shop.name[lang] !== DEFAULT_SETTINGS.shop.name[lang]),
    hasLogo: settings.logo !== null,
    phone: shop.phone,
    address: shop.address.bn || shop.address.en,
    cutoffHour: settings.cutoff_hour,
    deliveryDays: { ahead: days.ahead, closedWeekdays: days.closed_weekdays.length },
    hasCollection: settings.collection.is_offered,
    hasLicence: settings.trade_licence !== '',
    hasMap: settings.map_url !== '',
    hasCertificates: settings.certificates.length > 0 || certificates.en !== '' || certificates.bn !== '',
    gateways,
    advanceAccounts: [numbers.bkash, numbers.nagad, numbers.bank.accountNumber].filter(Boolean).length,
    sms: { isConfigured: sendsSms, problem: provider.problem, balance: provider.balance },
    seasonStarts: seasonStart(kurbani, today),
    seasonEnds: kurbani.deliveryTo,
    proposedEid: proposedSeason(today, kurbani.deliveryTo)?.eid ?? null,
  }
}

interface Process {
  publicUrl: string
  isProduction: boolean
  dataDir: string
}

/** Mail servers refuse a first message to make the sender wait (greylisting): less is no problem. */
const MIN_FAILED_ATTEMPTS = 3

type HealthCounts = Pick<HealthSnapshot, 'ownersWithoutFactor' | 'hasTrialOrder' | 'hasDeliveredOrder' | 'failedSms' | 'failedEmails'>

/** The snapshot for the health page. */
export async function readHealthSnapshot(db: Db, context: ShopContext, process: Process): Promise<HealthSnapshot> {
  const [snapshot, backup, isUnchecked, isGone, jobs, counts, freeBytes] = await Promise.all([
    readShopSnapshot(db, context),
    lastBackup(db, context.now),
    isCheckMissing(db),
    isBackupFileMissing(db),
    listJobs(db),
    sql<SnakeCased<HealthCounts>>`select
      (select count(*)::int from users u where role = 'owner' and disabled_at is null
        and not ${HAS_SECOND_FACTOR}) as owners_without_factor,
      exists (select 1 from orders where status = 'cancelled') as has_trial_order,
      exists (select 1 from orders o where ${IS_HANDED_OVER}) as has_delivered_order,
      (select count(*)::int from (select 1 from sms_outbox where state in ('failed', 'unknown')
        and created_at > ${daysBefore(context.now, 1)} limit 1000) s) as failed_sms,
      (select count(*)::int from (select 1 from email_outbox
        where (state = 'failed' or (state in ('queued', 'sending') and failure is not null and attempts >= ${MIN_FAILED_ATTEMPTS}))
        and created_at > ${daysBefore(context.now, 1)} limit 1000) e) as failed_emails`.execute(db),
    freeSpace(process.dataDir),
  ])
  const age = backup && (context.now.getTime() - backup.startedAt.getTime()) / HOUR_MS
  return {
    ...snapshot,
    ...toCamel<HealthCounts>(counts.rows[0]!),
    freeBytes,
    publicUrl: process.publicUrl,
    isProduction: process.isProduction,
    backupAgeHours: age,
    isBackupUnchecked: isUnchecked,
    isBackupFileMissing: isGone,
    jobProblems: jobs.filter(({ problem }) => problem !== null).length,
  }
}

/** Free bytes for this user on the disk of a folder. */
async function freeSpace(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
