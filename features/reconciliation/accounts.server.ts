import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { poishaToTaka, poisha } from '#lib/format/money.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { matchRows } from './match-rows.server.ts'
import { readStatement, type StatementRead } from './read-statement.server.ts'
import type { StatementMapping, StatementMethod } from './rules.ts'

// Every command locks the account first: uploads, matches and closing a day of one account happen one after the other.

export interface StatementAccount {
  id: number
  name: string
  method: StatementMethod
  mapping: StatementMapping | null
}

export async function findAccount(db: Db, id: number): Promise<StatementAccount | null> {
  const { rows } = await sql<StatementAccount>`select id, name, method, mapping from statement_accounts where id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Locks an account until the transaction ends. */
export async function lockAccount(tx: Db, id: number): Promise<StatementAccount | null> {
  const { rows } =
    await sql<StatementAccount>`select id, name, method, mapping from statement_accounts where id = ${id} for update`.execute(tx)
  return rows[0] ?? null
}

export type AccountCreated = { ok: true; id: number } | { ok: false; reason: 'name-used' }

/** Creates an account of the shop at a bank or wallet. Names are unique. */
export async function createAccount(
  db: Db,
  actor: Actor,
  { name, method }: { name: string; method: StatementMethod },
  now: Date,
): Promise<AccountCreated> {
  try {
    return await inTransaction(db, async (tx): Promise<AccountCreated> => {
      const { rows } = await sql<{ id: number }>`
        insert into statement_accounts (name, method, created_at) values (${name}, ${method}, ${now}) returning id`.execute(tx)
      const { id } = rows[0]!
      await audit(tx, actor, { action: 'created', subject: 'statement-account', id, after: { name, method } })
      return { ok: true, id }
    })
  } catch (error) {
    if (constraintOf(error) === 'statement_accounts_name_key') return { ok: false, reason: 'name-used' }
    throw error
  }
}

export type Imported =
  /** `added`: new rows; the others were known. `skipped`: lines without day or amount. */
  | { ok: true; rows: number; added: number; skipped: number; matched: number; from: string; to: string }
  | Extract<StatementRead, { ok: false }>
  | { ok: false; reason: 'missing' }
  /** New rows on a day that is reconciled already. */
  | { ok: false; reason: 'closed'; line: number; day: string }

/** Stores the new rows of a statement, remembers its columns, and matches. All or nothing; a repeated file adds nothing. */
export async function importStatement(
  db: Db,
  actor: Actor,
  accountId: number,
  { csv, fileName, mapping }: { csv: string; fileName: string; mapping: StatementMapping },
  now: Date,
): Promise<Imported> {
  const read = readStatement(csv, mapping, dhakaDate(now))
  if (!read.ok) return read
  return inTransaction(db, async (tx): Promise<Imported> => {
    const account = await lockAccount(tx, accountId)
    if (!account) return { ok: false, reason: 'missing' }
    const list = JSON.stringify(read.rows)
    const rows = sql`jsonb_to_recordset(${list}::jsonb) as f(line int, day date, amount bigint, reference text, details text, hash text)`
    const { rows: closed } = await sql<{ line: number; day: string }>`
      select f.line, to_char(f.day, 'YYYY-MM-DD') as day from ${rows} join reconciled_days d on d.account_id = ${accountId} and d.day = f.day
      where not exists (select 1 from statement_rows r where r.account_id = ${accountId} and r.row_hash = f.hash) order by f.line limit 1`.execute(
      tx,
    )
    if (closed[0]) return { ok: false, reason: 'closed', ...closed[0] }
    const { rows: uploads } = await sql<{ id: number }>`
      insert into statement_uploads (account_id, file_name, row_count, new_count, uploaded_by, uploaded_at)
      values (${accountId}, ${fileName}, ${read.rows.length}, 0, ${actor.id}, ${now}) returning id`.execute(tx)
    const { id: uploadId } = uploads[0]!
    const inserted = await sql`
      insert into statement_rows (account_id, upload_id, line, day, amount_poisha, reference, details, row_hash)
      select ${accountId}, ${uploadId}, line, day, amount, reference, details, hash from ${rows} order by line
      on conflict (account_id, row_hash) do nothing`.execute(tx)
    const added = Number(inserted.numAffectedRows ?? 0)
    await sql`update statement_uploads set new_count = ${added} where id = ${uploadId}`.execute(tx)
    await sql`update statement_accounts set mapping = ${JSON.stringify(mapping)}::jsonb where id = ${accountId}`.execute(tx)
    const matched = await matchRows(tx, account, actor.id, now)
    const days = read.rows.map(({ day }) => day).toSorted()
    const result = { rows: read.rows.length, added, skipped: read.skipped, matched, from: days[0]!, to: days.at(-1)! }
    const sum = poishaToTaka(poisha(read.rows.reduce((total, { amount }) => total + amount, 0)))
    const after = { file: fileName, rows: result.rows, added, matched, amount: sum }
    await audit(tx, actor, { action: 'imported', subject: 'statement-account', id: accountId, after })
    return { ok: true, ...result }
  })
}

/** Matches again, for payments that were recorded after the upload. Null without the account. */
export function matchAgain(db: Db, actor: Actor, accountId: number, now: Date): Promise<number | null> {
  return inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, accountId)
    if (!account) return null
    const matched = await matchRows(tx, account, actor.id, now)
    if (matched > 0) await audit(tx, actor, { action: 'matched', subject: 'statement-account', id: accountId, after: { matched } })
    return matched
  })
}
