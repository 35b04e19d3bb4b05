// Turns audit entries into text: the record, and the values of its fields. The timeline of an order says its edits by the same words.
import { readLoggedFilter } from '#features/audit/logged-filter.ts'
import { type AuditNames, kindOfField, kindOfSubject } from '#features/audit/name-rules.ts'
import type { AuditRow } from '#features/audit/queries.server.ts'
import { rangeText } from '#features/kurbani/rules.ts'
import { failureLabel } from '#features/messaging/failure-rules.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { PAYMENT_METHODS } from '#features/pos/rules.ts'
import { type MessageKey, textByData, type Translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, poisha } from '#lib/format/money.ts'
import { bengaliDigits, localizeDigits, formatKg, MINUS } from '#lib/format/numbers.ts'
import { formatFullDateTime, formatFullDay, isDay } from '#lib/format/time.ts'
import { WEEKDAYS } from '#lib/format/weekdays.ts'
import { seasonName } from '#features/catalog/season-name.ts'
import { hasFilters } from '../ui/url-query.ts'
import { type FieldWords, fieldLabels } from './field-labels.ts'
import { FILTER_LABELS, filterChoices } from './filter-words.ts'

export interface AuditLabels extends FieldWords {
  lang: Lang
  names: AuditNames
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const POISHA = new Set(['difference', 'due', 'ratePoisha', 'poishaPerKg'])
/** Records with a page and without a name. */
const NUMBERED = new Set(['order', 'register', 'stock-take', 'campaign'])
/** Fields in taka. */
const TAKA: Readonly<Record<string, ReadonlySet<string>>> = {
  order: new Set(['shipping', 'discount', 'total', 'amount', 'fee-kept', 'fee-reversed', 'written-off', 'write-off-reversed']),
  shift: new Set(['discount', 'price', 'amount', 'opening_cash', ...PAYMENT_METHODS]),
}
/** Numbers that are dialled, copied or compared: with the digits that they are stored with, as on all pages. */
const CODES = new Set(['phone', 'transaction_id', 'barcode', 'tag'])
const GRAMS = new Set(['grams', 'oldGrams', 'newGrams', 'fromGrams'])

/** The message of a key that is built from data; null when there is none. */
function textOf(t: Translate, key: string): string | null {
  const text = textByData(t)(key)
  return text === key ? null : text
}

/** The record of an entry with its number and name, and the address of its page. */
export function auditedRecord(row: Pick<AuditRow, 'subject' | 'subject_id' | 'action'>, { t, lang, names }: AuditLabels) {
  const { subject, subject_id: id } = row
  if (id === '') return { text: textOf(t, `audit.subjects.${subject}`) ?? subjectText(t, subject), href: null }
  if (subject === 'customer' && id === 'leaderboard') return { text: t('admin.nav.leaderboard'), href: '/admin/leaderboard' }
  if (subject === 'settings') return { text: `${subjectText(t, subject)}: ${textOf(t, `settings.part.${id}`) ?? id}`, href: null }
  if (subject === 'text') return { text: `${subjectText(t, subject)}: ${textOf(t, `texts.${id}`) ?? id}`, href: null }
  const [number = '', ...rest] = id.split(' ')
  const kind = kindOfSubject(subject)
  const name = kind ? names[`${kind} ${number}`] : undefined
  const isNumber = /^\d+$/.test(number)
  const shownId = isNumber ? localizeDigits(lang, number) : number
  const details = subject === 'rate' ? rest.map((season) => seasonName(t, lang, season)) : rest
  const text = name
    ? `${subjectText(t, subject)}: ${[name, ...details].join(' ')}${subject === 'product' ? ` (${shownId})` : ''}`
    : [subjectText(t, subject), shownId, ...details].join(' ')
  return { text, href: name || NUMBERED.has(subject) ? hrefOf(subject, number) : null }
}

/** The label of an action. */
export function auditedAction(t: Translate, action: string): string {
  return textOf(t, `audit.action.${action}`) ?? action
}

/** The fields of one state in one text; empty for none. */
export function auditedChanges(subject: string, fields: AuditRow['before'], words: AuditLabels): string {
  return Object.entries(fields ?? {})
    .filter(([field]) => field !== 'version')
    .map(([field, value]) => `${fieldLabels(words, subject, field)}: ${auditedValue(subject, field, value, words)}`)
    .join('; ')
}

function subjectText(t: Translate, subject: string): string {
  return textOf(t, `audit.subject.${subject}`) ?? subject
}

function hrefOf(subject: string, id: string): string | null {
  if (!/^\d+$/.test(id)) return null
  const pages: Record<string, string> = {
    order: `/admin/orders/update/${id}`,
    product: `/admin/products/${id}`,
    category: `/admin/category/${id}/edit`,
    area: `/admin/areas/${id}`,
    slot: `/admin/slots/${id}`,
    coupon: `/admin/coupons/${id}`,
    customer: `/admin/customers/${id}`,
    register: `/admin/quick-orders/registers/${id}`,
    'stock-take': `/admin/stock-takes/${id}`,
    campaign: `/admin/sms/campaigns/${id}`,
  }
  return pages[subject] ?? null
}

/** Formats the value of a field: names instead of ids; dates, times and amounts as elsewhere in the admin. */
export function auditedValue(subject: string, field: string, value: unknown, words: AuditLabels): string {
  const { t, lang, names } = words
  if (value === null || value === '' || value === undefined) return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map((one) => auditedValue(subject, field, one, words)).join('; ')
  if (typeof value === 'object')
    return Object.entries(value)
      .filter(([key]) => key !== 'version')
      .map(([key, one]) => `${fieldLabels(words, subject, key)}: ${auditedValue(subject, key, one, words)}`)
      .join(', ')
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no')
  const kind = kindOfField(subject, field)
  const name = kind ? names[`${kind} ${String(value)}`] : undefined
  if (name) return name
  if (typeof value === 'number') {
    if (field.endsWith('closed_weekdays')) return WEEKDAYS[lang][value] ?? String(value)
    if (TAKA[subject]?.has(field)) return money(value, lang)
    if (POISHA.has(field) || field.endsWith('_poisha')) return formatTaka(poisha(value), lang)
    if (field.endsWith('_bp')) return `${localizeDigits(lang, String(value / 100))}%`
    return GRAMS.has(field) ? formatKg(value, lang) : localizeDigits(lang, String(value).replace('-', MINUS))
  }
  const text = String(value)
  if (CODES.has(field)) return text
  if (field === 'lines') return lineText(text, words)
  if (field === 'season' || field === 'kurbani.season') return seasonName(t, lang, text)
  if (field === 'filter') return filterText(subject, text, words)
  if (INSTANT.test(text) && !Number.isNaN(Date.parse(text))) return formatFullDateTime(new Date(text), lang)
  if (isDay(text)) return formatFullDay(text, lang)
  return wordOf(words, subject, field, text) ?? (lang === 'bn' && /^[\d.,]+$/.test(text) ? bengaliDigits(text) : text)
}

/** The filters of a list that was exported or changed; its order and page are none. */
function filterText(subject: string, filter: string, words: AuditLabels): string {
  const parts = readLoggedFilter(filter).filter(([name, value]) => hasFilters({ [name]: value }))
  if (parts.length === 0) return '–'
  return parts.map(([name, value]) => `${filterLabel(name, words)}: ${filterValue(subject, name, value, words)}`).join('; ')
}

function filterLabel(name: string, { t }: AuditLabels): string {
  const key = Object.hasOwn(FILTER_LABELS, name) ? FILTER_LABELS[name] : undefined
  return key === undefined ? name : textByData(t)(key)
}

function filterValue(subject: string, name: string, value: string, words: AuditLabels): string {
  for (const key of filterChoices(subject, name, value)) {
    const text = textOf(words.t, key)
    if (text !== null) return text
  }
  if (name === 'price') return rangeText(value, words.lang)
  return name === 'tag' ? value : auditedValue('filter', name, value, words)
}

/** An order line of an edit: `12: 1.5 × 120`, of the timeline with the product's name. */
function lineText(text: string, { lang, names }: AuditLabels): string {
  const [, product, sum] = /^(.+): ([\d.]+ × [\d.]+)$/.exec(text) ?? []
  if (product === undefined || sum === undefined) return text
  const name = names[`product ${product}`] ?? (/^\d+$/.test(product) ? localizeDigits(lang, product) : product)
  return `${name}: ${localizeDigits(lang, sum)}`
}

/** Stored words that a screen has a label for. */
function wordOf({ t, lang, product }: AuditLabels, subject: string, field: string, value: string): string | null {
  const keys: Record<string, string[]> = {
    status: subject === 'product' ? [`catalog.status.${value}`] : [`order-status.${value}`],
    state:
      subject === 'booking'
        ? [`bookings.state.${value}`]
        : subject === 'area-request'
          ? [`area-requests.state.${value}`]
          : subject === 'review'
            ? [`reviews.state.${value}`]
            : subject === 'campaign'
              ? [`campaigns.state.${value}`]
              : [`sms.state.${value}`, `audit.state.${value}`],
    role: [`admin.role.${value}`, `audit.subject.${value}`],
    holds: [`settings.scale-${value}`],
    method: [`${subject === 'product' ? 'product.method' : 'method'}.${value}`],
    payment: [`method.${value}`],
    release: [value === 'ill' ? 'returned.stays-ill' : `returned.${value}`],
    failure: subject === 'sms' ? [`sms.failure.${failureLabel(value)}`] : [],
    kind: [`audit.kind.${value}`, `coupons.kind.${value}`, `products.kind.${value}`, `products.health.${value}`],
    unit: [`catalog.unit.${value}`],
    scope: [`coupons.scope.${value}`],
    outcome: [`refunds.outcome.${value}`],
    needs_attention: [`admin-orders.attention.${value}`],
    why: [`products.stock.${value}`, `audit.why.${value}`],
    take_reason: [`stock-take.reason.${value}`],
    discount_kind: [`products.discount.${value}`],
    delivery_group: [`areas.${value}`],
    password: [`audit.password.${value}`],
    pin: [`audit.password.${value}`],
    approval_code: [`audit.password.${value}`],
    till_code: [`audit.password.${value}`],
  }
  for (const key of keys[field] ?? []) {
    const text = textOf(t, key as MessageKey)
    if (text !== null) return text
  }
  return subject === 'product' ? (product?.choice(field, value, lang) ?? null) : null
}
