import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { acceptStrictForms } from '#features/payments/form-body.server.ts'
import { cardHost } from './card-host.server.ts'
import { cardPages } from './card-pages.server.ts'
import { faultsSchema } from './faults.ts'
import { hostedCss } from './hosted-page.ts'
import type { SimulatorOptions } from '#features/payments/simulator-options.ts'
import { emptyState, type SimState } from './state.ts'
import { walletHost } from './wallet-host.server.ts'
import { walletPages } from './wallet-pages.server.ts'

const FONT_FOLDER = new URL('../../site/fonts/', import.meta.url)
const FONTS = { bengali: 'hind-siliguri-bengali-400.woff2', taka: 'hind-siliguri-latin-400.woff2' }

/**
 * A Fastify plugin that simulates SSLCommerz and bKash: register it under a prefix and point
 * the adapters at that prefix (`/bkash` below it for bKash). Memory only; `publicPrefix` is where browsers reach it.
 */
export function paymentSimulator(options: SimulatorOptions): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    const state = emptyState()
    acceptStrictForms(app)
    // Other people's server, in effect: the shop's token and sessions do not reach into it.
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, antiForgery: false, static: true }
    })
    // The sandboxed page counts as another origin, so what it loads must be open to others.
    const open = { 'cache-control': 'max-age=3600', 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' }
    app.get('/hosted.css', (_request, reply) =>
      reply.headers({ ...open, 'content-type': 'text/css; charset=utf-8' }).send(hostedCss(options.publicPrefix)),
    )
    for (const [name, file] of Object.entries(FONTS)) {
      app.get(`/${name}.woff2`, async (_request, reply) =>
        reply.headers({ ...open, 'content-type': 'font/woff2' }).send(await readFile(new URL(file, FONT_FOLDER))),
      )
    }
    cardHost(app, state, options)
    cardPages(app, state, options)
    walletHost(app, state, options)
    walletPages(app, state, options)
    if (options.faultSwitch) faultSwitch(app, state)
    app.addHook('onClose', async () => {
      for (const end of state.waiting) end()
    })
  }
}

function faultSwitch(app: FastifyInstance, state: SimState): void {
  app.post('/__sim/faults', async (request, reply) => {
    const faults = faultsSchema.safeParse(request.body ?? {})
    if (!faults.success) return reply.code(422).send({ message: faults.error.message })
    state.faults = faults.data
    return { faults: state.faults }
  })
  app.get('/__sim/calls', async () => state.calls)
}
