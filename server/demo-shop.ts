import { sql } from 'kysely'
import { readPictures } from '#db/demo/pictures.ts'
import { findPublishedAccounts } from '#db/demo/published-accounts.ts'
import { storePictures } from '#db/demo/store-pictures.ts'
import { IS_STAFF } from '#features/auth/user-conditions.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type Env, publicSettings } from '#lib/runtime/env.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { retryWhileAway } from './wait-for-database.ts'

const REMOVE = 'remove it with npm run demo-clear, which keeps your settings, areas, texts and own accounts, or use another database'

/**
 * Whether this start is a demo. Without DEMO the demo shop opens only in a fresh embedded database; with DEMO=on, in any empty
 * one [C13, C14]. Throws a `SettingsError` where the demo's published accounts would open a shop that is no demo: in production, and
 * with DEMO=off as soon as others than this machine can reach it.
 */
export async function decideDemo(
  env: Env,
  isEmbedded: boolean,
  db: Db,
  print: (line: string) => void,
  store = storePictures,
): Promise<'on' | 'off'> {
  const mark = await retryWhileAway(() => readDemoMark(db))
  if (env.production || env.demo === 'off') {
    if (env.production || publicSettings(env).length > 0) await rejectPublishedAccounts(db, mark === 'demo')
    return 'off'
  }
  if (mark === 'demo') {
    const { completeDemo } = await import('#db/demo/complete-demo.ts')
    await retryWhileAway(() => completeDemo(db, env.publicUrl))
    return 'on'
  }
  if (mark !== 'empty' || (env.demo === 'auto' && !isEmbedded)) return 'off'
  print('Setting up the demo shop (once)…')
  const { seedDemo } = await import('#db/demo/seed-demo.ts')
  await seedDemo(db, { uploads: env.uploads, now: new Date(), store, publicUrl: env.publicUrl })
  return 'on'
}

/**
 * Writes the pictures of a demo while the migrations run, which leave a core idle. For a fresh embedded database only: it becomes a
 * demo unless the settings say otherwise, and its folder is locked for this process. Returns undefined otherwise.
 */
export function storePicturesAhead(env: Env, isFresh: boolean): typeof storePictures | undefined {
  if (!isFresh || env.production || env.demo === 'off') return undefined
  const stored = storePictures({ pictures: [...readPictures()], uploads: env.uploads })
  // The seeding awaits it; a failed migration ends the start first.
  stored.catch(() => {})
  return () => stored
}

/** `own`: the shop has products or staff of its own, or its demo was removed. */
async function readDemoMark(db: Db): Promise<'empty' | 'demo' | 'own'> {
  const { rows } = await sql<{ filled: boolean; mark: unknown }>`select
    exists (select 1 from products) or exists (select 1 from users where ${IS_STAFF}) as filled,
    (select value from settings where key = 'demo_shop') as mark`.execute(db)
  const { filled, mark } = rows[0]!
  if (mark === true) return 'demo'
  return filled || mark === false ? 'own' : 'empty'
}

async function rejectPublishedAccounts(db: Db, isDemo: boolean): Promise<void> {
  if (isDemo) throw new SettingsError(`This database holds the demo shop, whose accounts and password are published: ${REMOVE}.`)
  const open = await findPublishedAccounts(db)
  if (open.length > 0)
    throw new SettingsError(`Accounts of the demo shop (${open.map(({ phone }) => phone).join(', ')}) still have its password: ${REMOVE}.`)
}
