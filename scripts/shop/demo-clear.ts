// Removes the demo shop from the database, so that it can open in production. The shop is stopped meanwhile.
import { clearDemo, type DemoReport } from '#db/demo/clear-demo.ts'
import { readSettings } from '#features/settings/settings.server.ts'
import { openDb } from '#lib/db/db.server.ts'
import { urlsOfHosts } from '#lib/db/database-urls.ts'
import { openUploads } from '#lib/files/uploads.server.ts'
import { plural } from '#lib/format/plural.ts'
import { type CommandEnv, readCommandEnv } from '#lib/runtime/env.server.ts'
import { parseArguments } from '#lib/runtime/parse-arguments.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { migrate } from '#server/migrate.ts'
import { rejectRunningShop } from '#server/running-shop.ts'
import { confirm } from './confirm.ts'
import { COMMAND_CONNECTION, openShopDatabase } from './open-database.ts'

export const USAGE = 'npm run demo-clear -- [--all-orders] [--yes]'

function readFlags(args: string[]): { allOrders: boolean; isConfirmed: boolean } {
  const options = { 'all-orders': { type: 'boolean' }, yes: { type: 'boolean' } } as const
  const { values } = parseArguments({ args, options }, USAGE)
  return { allOrders: values['all-orders'] ?? false, isConfirmed: values.yes ?? false }
}

const counted = (count: number, one: string, many?: string) => plural(String(count), one, many)

function describe({ removed, remaining }: DemoReport): { goes: string; stays: string[] } {
  const goes = [
    counted(removed.orders, 'order'),
    counted(removed.products, 'product'),
    counted(removed.people, 'account or customer', 'accounts and customers'),
    counted(removed.coupons, 'coupon'),
    counted(removed.pictures, 'picture'),
  ].join(', ')
  const stays = ['settings, areas and charges, categories, rates, policy texts, and the accounts, customers and products of your own']
  if (remaining.orders > 0) stays.push(`${counted(remaining.orders, 'order')} placed later (--all-orders removes them too)`)
  if (remaining.products > 0) stays.push(`${counted(remaining.products, 'product')} of the demo in those orders, archived`)
  if (remaining.disabledAccounts.length > 0) stays.push(`demo accounts named in records, closed: ${remaining.disabledAccounts.join(', ')}`)
  if (remaining.passwordsRemoved.length > 0) stays.push(`accounts that need a new password: ${remaining.passwordsRemoved.join(', ')}`)
  return { goes, stays }
}

async function confirmClear(report: DemoReport, env: CommandEnv): Promise<void> {
  const { goes, stays } = describe(report)
  console.log(`From ${placeOf(env)} the demo goes: ${goes}.`)
  for (const line of stays) console.log(`Stays: ${line}.`)
  await confirm('There is no way back without a backup.', 'Nothing was removed.')
}

function placeOf(env: CommandEnv): string {
  if (!env.databaseUrl) return env.dataDir
  const { host, pathname } = new URL(urlsOfHosts(env.databaseUrl)[0]!)
  return `the database ${pathname.slice(1)} at ${host}`
}

export async function demoClear(args: string[]): Promise<number> {
  const { allOrders, isConfirmed } = readFlags(args)
  const env = readCommandEnv()
  const database = await openShopDatabase(env, 'any')
  try {
    const { db, pool, close } = openDb(database.url, { ...COMMAND_CONNECTION, applicationName: 'khamar-demo-clear' })
    try {
      await rejectRunningShop(pool)
      await migrate(database.url)
      const clear = (isTrial: boolean) => clearDemo(db, { uploads: openUploads(env.uploads), now: new Date(), allOrders, isTrial })
      const plan = await clear(true)
      if (!plan) throw new SettingsError(`There is no demo in ${placeOf(env)}: nothing was removed.`)
      if (!isConfirmed) await confirmClear(plan, env)
      // It may have been started while the question was open.
      await rejectRunningShop(pool)
      const report = await clear(false)
      if (!report) throw new SettingsError('The demo was removed by another process meanwhile.')
      const { goes, stays } = describe(report)
      console.log(`Removed: ${goes}.`)
      for (const line of stays) console.log(`Stayed: ${line}.`)
      console.log('Next: npm run owner -- --phone 01712345678 --name "Abdul Karim", then start with NODE_ENV=production.')
      if (!(await readSettings(db)).opening.isOpen)
        console.log('The shop is closed to visitors now: its owner sets it up and opens it at /admin/setup.')
      return 0
    } finally {
      await close()
    }
  } finally {
    await database.close()
  }
}
