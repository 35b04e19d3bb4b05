import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { to as copyTo } from 'pg-copy-streams'
import { LINK_KEY } from '#features/messaging/link-keys.ts'
import { maskedBody } from '#features/messaging/masked-body.server.ts'
import { makeFolder } from '#lib/files/folders.server.ts'
import type { Uploads } from '#lib/files/uploads.server.ts'
import { UPLOAD_NAME } from '../archive/format.ts'
import { listTables, type PoolClient, quoted } from '../tables.server.ts'
import { inSnapshot } from '../write-archive.server.ts'

/** Tables of sign-in, of devices to notify, and of the program itself. */
const LEFT_OUT = new Set([
  'attempt_counts',
  'catalog_epoch',
  'challenges',
  'idempotency_keys',
  'pos_approval_codes',
  'push_messages',
  'push_state',
  'push_subscriptions',
  'recovery_codes',
  'sales_progress',
  'second_factors',
  'sessions',
  'staff_pins',
])
/** Columns of secrets, keys and search indexes. */
const LEFT_OUT_COLUMN = /(_hash|_tsv|_key|^secret)$|^(view_key|stop_token|search_text|redirect_url)$/

const withoutKeys = (column: string) => `regexp_replace(${column}::text, '${LINK_KEY.source}', '\\1•••', 'g')`
/** Columns with texts of messages, and what is written of them: no key of a link, which acts for its receiver, and no code. */
const MESSAGES: Record<string, string> = {
  'sms_outbox.body': maskedBody(withoutKeys('body')),
  'order_events.detail': withoutKeys('detail'),
  'audit_log.before': withoutKeys('before'),
  'audit_log.after': withoutKeys('after'),
}

export interface Exported {
  tables: number
  rows: number
  /** Uploads. */
  files: number
}

/** The folder of an unfinished export. */
export const draftOf = (folder: string): string => `${folder}.part`

/**
 * Writes every table as a CSV file with a header, and the uploads, into a new folder that only its owner reads. All tables are of one
 * moment. A killed export leaves only its draft folder, a failed one nothing. A draft folder that exists is an error: it may hold other files.
 */
export async function exportShop(client: PoolClient, { folder, uploads }: { folder: string; uploads: Uploads }): Promise<Exported> {
  const draft = draftOf(folder)
  makeFolder(path.dirname(folder))
  await mkdir(draft, { mode: 0o700 })
  try {
    await mkdir(path.join(draft, 'uploads'))
    const { tables, rows } = await inSnapshot(client, () => exportTables(client, draft))
    const files = await copyUploads(uploads, path.join(draft, 'uploads'))
    await rename(draft, folder)
    return { tables, rows, files }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function exportTables(client: PoolClient, draft: string): Promise<{ tables: number; rows: number }> {
  const tables = (await listTables(client)).filter(({ name }) => !LEFT_OUT.has(name))
  let rows = 0
  for (const { name, columns } of tables) {
    const shown = columns.filter((column) => !LEFT_OUT_COLUMN.test(column)).map((column) => writtenColumn(name, column))
    const stream = client.query(
      copyTo(`copy (select ${shown.join(', ')} from ${quoted(name)} order by 1) to stdout with (format csv, header)`),
    )
    await pipeline(stream, createWriteStream(path.join(draft, `${name}.csv`), { flags: 'wx', mode: 0o600 }))
    rows += stream.rowCount
  }
  return { tables: tables.length, rows }
}

function writtenColumn(table: string, column: string): string {
  const message = MESSAGES[`${table}.${column}`]
  return message === undefined ? quoted(column) : `${message} as ${quoted(column)}`
}

/** A file that was deleted meanwhile belongs to no row. */
async function copyUploads(uploads: Uploads, to: string): Promise<number> {
  let count = 0
  for await (const { name } of uploads.list()) {
    const bytes = UPLOAD_NAME.test(name) ? await uploads.find(name) : null
    if (!bytes) continue
    await writeFile(path.join(to, name), bytes)
    count += 1
  }
  return count
}
