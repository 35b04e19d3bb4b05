import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import rateLimit from '@fastify/rate-limit'
import fastifyStatic from '@fastify/static'
import Fastify, { LogController, type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { SMALL_BODY } from '#lib/http/body-limits.ts'
import { clientNetwork, clientSite } from '#lib/http/client-network.ts'
import { addressApi } from '#features/customers/address-api.server.ts'
import { catalogApi } from '#features/catalog/api.server.ts'
import { searchApi } from '#features/search/api.server.ts'
import { demoSmsApi } from '#features/messaging/demo-api.server.ts'
import { SMS_SIMULATOR_PREFIX } from '#features/messaging/configure.server.ts'
import { smsSimulator } from '#dev/sms-simulator/plugin.server.ts'
import { paymentSimulator } from '#dev/payment-simulator/plugin.server.ts'
import { SIMULATOR_PREFIX } from '#features/payments/configure.server.ts'
import { couponsApi } from '#features/pricing/api.server.ts'
import { kurbaniApi } from '#features/kurbani/api.server.ts'
import { changePaymentApi } from '#features/orders/checkout/change-payment-api.server.ts'
import { ordersApi } from '#features/orders/checkout/api.server.ts'
import { ownOrdersApi } from '#features/orders/history/own-orders-api.server.ts'
import { paymentsApi } from '#features/payments/api.server.ts'
import { adminRoutes } from '#site/admin/routes.server.ts'
import { demoPages } from '#site/store/demo/demo-routes.server.ts'
import { storeRoutes } from '#site/store/routes.server.ts'
import { sessionCookie } from './cookies.ts'
import type { Deps } from './deps.ts'
import { apiDescription } from './api-description.ts'
import type { PageSource } from './page/assets.ts'
import { sendErrorPage } from './page/error-page.ts'
import { serveFromCache } from './cache/serve-from-cache.ts'
import { PageRenderer } from './page/page-renderer.ts'
import { protectFromForgery } from './plugins/csrf.ts'
import { registerResponsePipeline } from './plugins/response-pipeline.ts'
import { authorizeAdmin } from './plugins/authorization.ts'
import { registerErrorHandler } from './plugins/error-handler.ts'
import { registerRequestTimeout } from './plugins/request-timeout.ts'
import { authenticate } from './plugins/authentication.ts'
import { canSeeOrder, setOrderAccessCookie } from './routes/order-access.ts'
import { AuthResponder } from './routes/identity/auth-responder.ts'
import { codeRoutes } from './routes/identity/code.ts'
import { orderPhoneRoutes } from './routes/identity/order-phone.ts'
import { secondFactorRoutes } from './routes/identity/second-factor.ts'
import { lockRoutes } from './routes/identity/lock.ts'
import { securityRoutes } from './routes/identity/security.ts'
import { signInRoutes } from './routes/identity/sign-in.ts'
import { legacyOrderRoutes } from './routes/legacy-order.ts'
import { adminApis } from './routes/admin.ts'
import { searchEngineFiles } from './routes/search-engines.ts'
import { shopRoutes } from './routes/preferences.ts'
import { posWorkerRoute } from './routes/pos-worker.ts'
import { trackRoutes } from './routes/track.ts'

/** To say what is wanted; and to send it whole, which a video from a village takes. What a call's body may take is its handler's time. */
const HEADERS_TIMEOUT_MS = 30_000
const REQUEST_TIMEOUT_MS = 120_000
/** A database that is there but does not speak: nobody waits longer for it. Routes that wait for a gateway say so. */
const ANSWER_MS = 10_000
/** Longer than any proxy in front keeps a connection, so that it is never the shop that closes one just as a request comes. */
const KEEP_ALIVE_MS = 72_000
/** One address stands for a whole mobile operator: what it may do is this many times what one browser may. */
const BROWSERS_PER_ADDRESS = 20

/** The whole shop as one Fastify app; it listens when its caller says so. */
export async function buildApp(deps: Deps, source: PageSource): Promise<FastifyInstance> {
  const sessionName = sessionCookie(deps.env.publicUrl.startsWith('https:'))
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: SMALL_BODY,
    forceCloseConnections: 'idle',
    // A counter would repeat after each start and in each process.
    genReqId: () => randomUUID(),
    trustProxy: deps.env.trustProxy ?? false,
    routerOptions: { maxParamLength: 300 },
    onProtoPoisoning: 'error',
    // Kept answers leave before the framework wakes.
    serverFactory: (handler) =>
      createServer(
        { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
        (req, res) => {
          if (source.middleware) source.middleware(req, res, () => handler(req, res))
          else if (!serveFromCache(deps.kept, sessionName, req, res)) handler(req, res)
        },
      ),
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)

  const pages = new PageRenderer(deps, source)
  registerErrorHandler(app, (...refusal) => sendErrorPage(pages, ...refusal))
  registerRequestTimeout(app, { usualMs: ANSWER_MS })
  takeNoBodyForNone(app)
  await app.register(cookie)
  await app.register(formbody, { bodyLimit: SMALL_BODY })
  registerResponsePipeline(app, deps)
  authenticate(app, deps)
  authorizeAdmin(app, deps, (request, reply, rights) => pages.sendDenied(request, reply, rights))
  if (deps.env.rateLimit) await limitRates(app)
  await apiDescription(app, deps)
  await serveFiles(app, deps, source)

  if (deps.simulator) await app.register(paymentSimulator(deps.simulator), { prefix: SIMULATOR_PREFIX })
  if (deps.smsSimulator) await app.register(smsSimulator(deps.smsSimulator), { prefix: SMS_SIMULATOR_PREFIX })
  sendAfterWrites(app, deps)
  if (deps.env.trustProxy === null) warnOfUntrustedProxy(app)

  await app.register(async (guarded) => {
    // A foreign page can send plain text without asking; nothing here wants it.
    guarded.removeContentTypeParser('text/plain')
    protectFromForgery(guarded, { secret: deps.env.sessionSecret, publicUrl: deps.env.publicUrl })
    await guarded.register(catalogApi(deps))
    await guarded.register(searchApi(deps))
    await guarded.register(shopRoutes(deps))
    const talk = new AuthResponder(deps, pages)
    for (const routes of [signInRoutes, codeRoutes, lockRoutes, securityRoutes, secondFactorRoutes, orderPhoneRoutes])
      await guarded.register(routes(talk))
    await guarded.register(ordersApi({ ...deps, catalogChanged: () => deps.kept.bump(), setOrderAccessCookie: setOrderAccessCookie(deps) }))
    await guarded.register(ownOrdersApi({ ...deps, catalogChanged: () => deps.kept.bump() }))
    await guarded.register(changePaymentApi({ ...deps, catalogChanged: () => deps.kept.bump() }))
    await guarded.register(paymentsApi(deps, { canSeeOrder: canSeeOrder(deps) }))
    await guarded.register(kurbaniApi(deps))
    await guarded.register(addressApi(deps))
    await guarded.register(couponsApi(deps))
    await guarded.register(trackRoutes(deps, pages))
    legacyOrderRoutes(guarded, deps, pages)
    await guarded.register(searchEngineFiles(deps))
    for (const route of storeRoutes) pages.add(guarded, route)
    if (deps.env.demo === 'on') {
      await guarded.register(demoSmsApi(deps))
      for (const route of demoPages) pages.add(guarded, route)
    }
    for (const api of adminApis(deps)) await guarded.register(api)
    posWorkerRoute(guarded, source)
    for (const route of adminRoutes) pages.addAdmin(guarded, route)
  })
  return app as unknown as FastifyInstance
}

/** Programs say JSON also where they send nothing: that is no body, not a broken one. What needs one says so of its fields. */
function takeNoBodyForNone(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, body, done),
  )
}

/** Whatever a write put into the SMS outbox goes out as soon as it is answered. */
function sendAfterWrites(app: FastifyInstance, { sms }: Deps): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (request.method !== 'GET' && reply.statusCode < 400) sms.wake()
    done()
  })
}

/** Without TRUST_PROXY all visitors behind a reverse proxy share its address, and with it the limits of one address. */
function warnOfUntrustedProxy(app: FastifyInstance): void {
  let isTold = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isTold && request.headers['x-forwarded-for'] !== undefined) {
      isTold = true
      request.log.warn('a request came with X-Forwarded-For, which is not believed: set TRUST_PROXY to the address of your reverse proxy')
    }
    done()
  })
}

/** Routes that name a limit have it for each browser, and far above it for each address [E7]. */
async function limitRates(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false, keyGenerator: limitKey })
  const ofAddress = app.createRateLimit({
    keyGenerator: (request) => `${request.routeOptions.url} ${clientSite(request.ip)}`,
    max: (request) => BROWSERS_PER_ADDRESS * (request.routeOptions.config.rateLimit as { max: number }).max,
    timeWindow: '1 minute',
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.config.rateLimit) return
    const used = await ofAddress(request)
    if (!used.isAllowed && used.isExceeded) return reply.refuse(429, 'error.too-many', { retryAfterSeconds: used.ttlInSeconds })
  })
}

/** Shoppers behind one mobile operator share an address: the browser's own words, which it may change at will, tell most of them apart. */
function limitKey(request: {
  ip: string
  headers: Record<string, unknown>
  viewer: { sessionId: string | null; issuedBrowser: string | null }
}): string {
  const { sessionId, issuedBrowser } = request.viewer
  return sessionId ?? `${clientNetwork(request.ip)} ${issuedBrowser ?? String(request.headers['user-agent']).slice(0, 200)}`
}

async function serveFiles(app: FastifyInstance, deps: Deps, source: PageSource): Promise<void> {
  const forever = { maxAge: '365d', immutable: true, index: false as const, cacheControl: true }
  const config = { static: true }
  await app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...config }
    })
    await files.register(fastifyStatic, {
      root: join(source.publicDir, 'assets'),
      prefix: '/assets/',
      decorateReply: true,
      preCompressed: true,
      ...forever,
    })
    await files.register(fastifyStatic, {
      root: join(deps.env.dataDir, 'uploads'),
      prefix: '/uploads/',
      decorateReply: false,
      ...forever,
    })
    await files.register(fastifyStatic, {
      root: source.publicDir,
      prefix: '/',
      decorateReply: false,
      wildcard: false,
      maxAge: '1d',
      index: false,
      globIgnore: ['assets/**', '.vite/**'],
    })
  })
}
