import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'

// A new column with free text is listed here, or written by the erasure and shown by the print: nothing about a person is forgotten.

const { db } = await testDb()
const source = (name: string) => readFile(new URL(name, import.meta.url), 'utf8')
const [erasure, print] = [await source('./erase-person.server.ts'), await source('./read-personal-data.server.ts')]

/** Tables without data of customers: catalog, settings, stock, staff, jobs, and keys that expire within a day. */
const IMPERSONAL = new Set(
  `area_charges areas backup_runs bulk_run_orders bulk_runs campaigns categories coupons deleted_uploads gateway_events health_records
  idempotency_keys images payment_attempts policy_pages popups pos_approval_codes pos_approvals pos_cash_movements pos_favourites
  pos_registers pos_shift_counts pos_shifts product_media products push_messages push_state rate_tiers reconciled_days returned_animals
  sales_days scheduled_jobs schema_migrations settings slots sms_provider staff_pins statement_accounts statement_uploads
  stock_movements stock_take_lines stock_takes videos weigh_ins`.split(/\s+/),
)
/** Tables whose rows say nothing to the person: keys, counts, and what belongs to a printed row. */
const UNPRINTED = new Set(
  'animal_holds attempt_counts challenges gateway_refunds push_subscriptions recovery_codes second_factors statement_matches'.split(' '),
)
/** Tables with references and amounts alone, which stay (docs/operations.md, A customer's data). */
const REFERENCES = new Set('account_payments coupon_uses ledger_entries'.split(' '))
/** Columns of tables whose rows stay, which hold no words of a customer. */
const PLAIN: Record<string, string> = {
  advance_reports: 'method transaction_id state',
  animal_holds: '',
  audit_log: 'action subject subject_id ip',
  gateway_refunds: 'gateway gateway_ref gateway_txn refund_id state failure',
  order_events: 'actor kind from_status to_status',
  order_lines: 'name_en name_bn unit tag_number',
  orders: `source status lang payment_type payment_gateway needs_attention tracking_code idempotency_key request_hash`,
  statement_matches: 'kind',
  pos_returns: 'idempotency_key request_hash',
  sms_outbox: 'purpose template provider_ref failure',
  statement_rows: 'reference row_hash',
  users: 'role',
}

const { rows } = await sql<{ table: string; column: string }>`
  select table_name as "table", column_name as "column" from information_schema.columns
  where table_schema = 'public' and (data_type in ('text', 'jsonb', 'json', 'ARRAY', 'character varying', 'bytea', 'inet') or data_type = 'USER-DEFINED')
  order by 1, 2`.execute(db)
const mentions = (text: string, word: string) => new RegExp(`\\b${word}\\b`).test(text)

it('every table with words of a person is erased and printed', () => {
  const personal = [...new Set(rows.map(({ table }) => table))].filter((table) => !IMPERSONAL.has(table))
  expect(personal.filter((table) => !mentions(erasure, table) && !REFERENCES.has(table))).toEqual([])
  expect(personal.filter((table) => !mentions(print, table) && !UNPRINTED.has(table))).toEqual([])
})

it('every column of a row that stays is erased, or holds no words of a person', () => {
  const staying = rows.filter(({ table }) => PLAIN[table] !== undefined)
  expect(new Set(staying.map(({ table }) => table))).toEqual(new Set(Object.keys(PLAIN)))
  const open = staying.filter(({ table, column }) => {
    const updates = erasure.split('await ').filter((statement) => new RegExp(`update ${table}\\b`).test(statement))
    return !PLAIN[table]!.split(' ').includes(column) && !updates.some((statement) => mentions(statement, column))
  })
  expect(open).toEqual([])
})
