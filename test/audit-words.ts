import { sql } from 'kysely'
import '#messages/bn-admin.ts'
import { AUDIT_SUBJECTS } from '#features/audit/subjects.ts'
import type { Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { auditedAction, auditedRecord, auditedValue } from '#site/admin/audit/audit-labels.ts'
import { fieldLabels } from '#site/admin/audit/field-labels.ts'
import { PRODUCT_WORDS } from '#site/admin/audit/product-words.ts'

const t = translate('bn')
const LABELS = { t, lang: 'bn', names: {}, product: PRODUCT_WORDS } as const
/** Stored words of a choice, such as `on_delivery` and `not-for-sale`. */
const CHOICE = /^[a-z]+(?:[-_][a-z]+)*$/
/** Last parts of fields that people write themselves (`shop.motto.en`), and names of fields. */
const FREE = new Set(
  'en bn name name_en name_bn by note reason email address landmark remarks refusal answer text transaction_id tag tags season filter unit'.split(
    ' ',
  ),
)

type Fields = Record<string, unknown> | null

/** What the page of the audit log would show as it is stored: actions, records, fields and choices without Bengali words. */
export async function auditWithoutWords(db: Db): Promise<string[]> {
  const { rows } = await sql<{ action: string; subject: string; before: Fields; after: Fields }>`
    select distinct action, subject, before, after from audit_log`.execute(db)
  return [
    ...new Set(
      rows.flatMap(({ action, subject, before, after }) => [
        ...(auditedAction(t, action) === action ? [`action ${action}`] : []),
        ...(auditedRecord({ subject, subject_id: '1', action }, LABELS).text.startsWith(subject) ? [`subject ${subject}`] : []),
        ...(AUDIT_SUBJECTS.includes(subject) ? [] : [`subject ${subject} in the filter`]),
        ...fieldsWithoutWords(subject, before),
        ...fieldsWithoutWords(subject, after),
      ]),
    ),
  ].toSorted()
}

function fieldsWithoutWords(subject: string, fields: Fields): string[] {
  return Object.entries(fields ?? {})
    .filter(([field]) => field !== 'version')
    .flatMap(([field, value]) => [
      ...(fieldLabels(LABELS, subject, field) === field ? [`field ${subject}.${field}`] : []),
      ...[value].flat().flatMap((one) => valueWithoutWords(subject, field, one)),
    ])
}

function valueWithoutWords(subject: string, field: string, value: unknown): string[] {
  if (typeof value === 'object') return fieldsWithoutWords(subject, value as Fields)
  if (typeof value !== 'string' || FREE.has(field.split('.').at(-1)!) || !CHOICE.test(value)) return []
  return auditedValue(subject, field, value, LABELS) === value ? [`value ${subject}.${field} ${value}`] : []
}
