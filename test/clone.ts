import pg from 'pg'

/** For machines under load: a connection that takes longer than a shop may wait must not fail a test. */
export const LONG_TIMEOUTS = { connectTimeout: 60_000, statementTimeout: 60_000 }

/** The database right after the migrations: a new shop, which is not open yet and has the default areas and policy pages. */
export const NEW_SHOP_TEMPLATE = 'khamar_new'

/** The same opened, without areas and policy pages, so that each test builds those it needs. */
export const TEMPLATE = 'khamar_template'

/** The database with the demo shop in it. */
export const DEMO_TEMPLATE = 'khamar_demo'

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.toString()
}

/**
 * Makes `database` as a copy of `template`, file by file: block by block through the log, PostgreSQL's default, takes three times the
 * processor time for a template of some hundred small tables and indexes.
 */
export async function cloneDatabase(adminUrl: string, database: string, template = TEMPLATE): Promise<void> {
  await administer(adminUrl, `create database "${database}" template "${template}" strategy file_copy`)
}

/** Drops the database and closes open connections. */
export async function dropDatabase(adminUrl: string, database: string): Promise<void> {
  await administer(adminUrl, `drop database if exists "${database}" with (force)`)
}

/** One connection a process and cluster: opening one takes PostgreSQL longer than the copy. */
const admins = new Map<string, pg.Pool>()

async function administer(adminUrl: string, statement: string): Promise<void> {
  let admin = admins.get(adminUrl)
  if (!admin) {
    admin = new pg.Pool({ connectionString: adminUrl, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
    // The cluster ends before the process.
    admin.on('error', () => {})
    admins.set(adminUrl, admin)
  }
  await admin.query(statement)
}
