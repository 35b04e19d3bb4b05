import { healthLights } from '#features/setup/health-rules.ts'
import { type JobReport, listJobs } from '#features/jobs/job-state.server.ts'
import { readHealthSnapshot, type ShopContext } from '#features/setup/queries.server.ts'
import { setupSteps } from '#features/setup/setup-rules.ts'
import { dhakaDate } from '#lib/format/time.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'
import { productChoices } from '../products/routes.server.ts'

/** The input of the snapshots. */
export async function shopContext({ shopCache, gateways, sendsSms, now }: AdminContext): Promise<ShopContext> {
  return { settings: await shopCache.settings(), gateways, sendsSms, now }
}

const readHealth = (context: AdminContext, shop: ShopContext) =>
  readHealthSnapshot(context.db, shop, { publicUrl: context.publicUrl, ...context.process })

const shownJob = ({ name, lastOkAt, problem }: JobReport) => ({ name, problem, lastOkAt: lastOkAt?.toISOString() ?? null })

export const setupRoutes: AdminRoute[] = [
  {
    url: '/admin/setup',
    page: 'admin/setup/setup',
    permission: 'settings.read',
    async load(context) {
      const shop = await shopContext(context)
      const [snapshot, choices] = await Promise.all([readHealth(context, shop), productChoices(context)])
      return {
        props: {
          steps: setupSteps(snapshot),
          lights: healthLights(snapshot),
          opening: shop.settings.opening,
          today: dhakaDate(context.now),
          gateways: context.gateways,
          sendsSms: context.sendsSms,
          choices: { ...choices, categories: choices.categories.filter(({ key }) => key !== 'home') },
        },
        head: adminHead(context.lang, { key: 'setup.title' }),
      }
    },
  },
  {
    url: '/admin/setup/test-receipt',
    page: 'admin/setup/test-receipt',
    permission: 'settings.read',
    async load({ lang, now }) {
      return { props: { at: now.toISOString() }, head: adminHead(lang, { key: 'setup.test-receipt-title' }) }
    },
  },
  {
    url: '/admin/health',
    page: 'admin/setup/health',
    permission: 'settings.read',
    async load(context) {
      const shop = await shopContext(context)
      const [snapshot, jobs] = await Promise.all([readHealth(context, shop), listJobs(context.db)])
      return {
        props: { lights: healthLights(snapshot), opening: shop.settings.opening, today: dhakaDate(context.now), jobs: jobs.map(shownJob) },
        head: adminHead(context.lang, { key: 'admin.nav.health' }),
      }
    },
  },
]
