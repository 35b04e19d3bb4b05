import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { lockAccount } from './accounts.server.ts'
import { matchRows } from './match-rows.server.ts'

/** `closed`: a row is on a reconciled day. `decided`: a person matched or explained a row. */
export type UploadDeleted = { ok: true } | { ok: false; reason: 'missing' | 'closed' | 'decided' }

/**
 * Deletes an upload with the rows that it added and their automatic matches: it was of another account, or its columns were chosen wrongly.
 * The remaining rows are matched again.
 */
export function deleteUpload(db: Db, actor: Actor, accountId: number, uploadId: number, now: Date): Promise<UploadDeleted> {
  return inTransaction(db, async (tx): Promise<UploadDeleted> => {
    const account = await lockAccount(tx, accountId)
    if (!account) return { ok: false, reason: 'missing' }
    const { rows } = await sql<{ file: string; rows: number; is_closed: boolean; is_decided: boolean }>`
      select u.file_name as file, u.new_count as rows,
        exists (select 1 from statement_rows r join reconciled_days d on d.account_id = r.account_id and d.day = r.day
          where r.upload_id = u.id) as is_closed,
        exists (select 1 from statement_rows r left join statement_matches m on m.row_id = r.id
          where r.upload_id = u.id and (r.explanation is not null or m.kind = 'manual')) as is_decided
      from statement_uploads u where u.id = ${uploadId} and u.account_id = ${accountId}`.execute(tx)
    const upload = rows[0]
    if (!upload) return { ok: false, reason: 'missing' }
    if (upload.is_closed) return { ok: false, reason: 'closed' }
    if (upload.is_decided) return { ok: false, reason: 'decided' }
    await sql`delete from statement_matches where row_id in (select id from statement_rows where upload_id = ${uploadId})`.execute(tx)
    await sql`delete from statement_rows where upload_id = ${uploadId}`.execute(tx)
    await sql`delete from statement_uploads where id = ${uploadId}`.execute(tx)
    const matched = await matchRows(tx, account, actor.id, now)
    const before = { file: upload.file, rows: upload.rows }
    await audit(tx, actor, { action: 'deleted', subject: 'statement-account', id: accountId, before, after: { matched } })
    return { ok: true }
  })
}
