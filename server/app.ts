import { createServer } from 'node:http'
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance, type FastifyServerFactory, type FastifyServerOptions, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { paymentSimulator } from '#dev/payment-simulator/plugin.server.ts'
import { smsSimulator } from '#dev/sms-simulator/plugin.server.ts'
import { sessionCookie } from '#features/auth/cookies.ts'
import { SMS_SIMULATOR_PREFIX } from '#features/messaging/configure.server.ts'
import { SIMULATOR_PREFIX } from '#features/payments/configure.server.ts'
import { isHttps } from '#lib/http/is-https.ts'
import { SMALL_BODY } from '#lib/http/body-limits.ts'
import { trustedProxies } from '#lib/http/trusted-proxies.server.ts'
import { apiDescription } from './api-description.ts'
import { serveFromCache } from './cache/serve-from-cache.ts'
import type { Deps } from './deps.ts'
import { decodableUrl } from './malformed-url.ts'
import { registerMetricsRoute } from './metrics/endpoint.ts'
import type { PageSource } from './page/assets.ts'
import { sendClosedPage } from './page/closed-page.ts'
import { sendErrorPage } from './page/error-page.ts'
import { PageRenderer } from './page/page-renderer.ts'
import { authenticate } from './plugins/authentication.ts'
import { authorizeAdmin } from './plugins/authorization.ts'
import { closeUntilOpened } from './plugins/closed-shop.ts'
import { protectFromForgery, refuseOtherUsersPages } from './plugins/csrf.ts'
import { registerErrorHandler } from './plugins/error-handler.ts'
import { observeRequests } from './plugins/observe-requests.ts'
import { registerRateLimit } from './plugins/rate-limit.ts'
import { registerReadReplica } from './plugins/read-replica.ts'
import { registerRequestTimeout } from './plugins/request-timeout.ts'
import { registerResponsePipeline } from './plugins/response-pipeline.ts'
import { registerStaticFiles } from './plugins/static-files.ts'
import { traceRequests } from './plugins/trace-requests.ts'
import { requestId } from './request-id.ts'
import { registerRoutes } from './routes/routes.ts'
import { withoutTracking } from './tracking-parameters.ts'

const HEADERS_TIMEOUT_MS = 30_000
/** Covers the upload of a video over a slow line. Routes limit the size of their bodies, and end those that hardly come. */
const REQUEST_TIMEOUT_MS = 15 * 60_000
/** A plugin's share of the start: the default of ten seconds ends a start beside much other work, as the nightly backup. */
const PLUGIN_TIMEOUT_MS = 60_000
/** A route that waits for a payment gateway sets `timeoutMs` to more. */
const REPLY_TIMEOUT_MS = 10_000
/** While developing, Vite transforms every module of a page at its first request. */
const DEV_REPLY_TIMEOUT_MS = 10 * 60_000
/** Above the keep-alive of common reverse proxies, so that this side never closes a connection just as a request arrives. */
const KEEP_ALIVE_MS = 72_000

/** Zod validates and serializes; the packages of Fastify's own compilers take a tenth of a start to load. */
const ZOD_COMPILERS = {
  compilersFactory: { buildValidator: () => validatorCompiler, buildSerializer: () => serializerCompiler },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>

/** Builds the whole shop as one Fastify app. The caller listens. */
export async function buildApp(deps: Deps, source: PageSource): Promise<FastifyInstance> {
  const app = Fastify({
    schemaController: ZOD_COMPILERS,
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: SMALL_BODY,
    pluginTimeout: PLUGIN_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    genReqId: requestId(trustedProxies(deps.env.trustProxy)),
    trustProxy: deps.env.trustProxy ?? false,
    routerOptions: { maxParamLength: 300 },
    onProtoPoisoning: 'error',
    rewriteUrl: ({ url = '/' }) => decodableUrl(url),
    serverFactory: serverFactory(deps, source),
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)

  const pages = new PageRenderer(deps, source)
  registerErrorHandler(app, (...error) => sendErrorPage(pages, ...error))
  traceRequests(app, deps)
  observeRequests(app, deps)
  registerRequestTimeout(app, { defaultMs: source.middleware ? DEV_REPLY_TIMEOUT_MS : REPLY_TIMEOUT_MS })
  acceptEmptyJson(app)
  await app.register(cookie)
  await app.register(formbody, { bodyLimit: SMALL_BODY })
  registerResponsePipeline(app, deps)
  authenticate(app, deps)
  registerReadReplica(app, deps)
  refuseOtherUsersPages(app)
  authorizeAdmin(app, deps, (request, reply, permissions) => pages.sendDenied(request, reply, permissions))
  if (deps.env.rateLimit) await registerRateLimit(app)
  closeUntilOpened(app, deps, (request, reply) => sendClosedPage(pages, deps, request, reply))
  apiDescription(app, deps)
  registerMetricsRoute(app, deps)
  await registerStaticFiles(app, {
    publicDir: source.publicDir,
    uploads: deps.uploads,
    place: deps.env.uploads,
    uploadsPublicUrl: deps.env.uploadsPublicUrl,
  })

  if (deps.simulator) await app.register(paymentSimulator(deps.simulator), { prefix: SIMULATOR_PREFIX })
  if (deps.smsSimulator) await app.register(smsSimulator(deps.smsSimulator), { prefix: SMS_SIMULATOR_PREFIX })
  sendSmsAfterWrites(app, deps)
  if (deps.env.trustProxy === null) warnOfUntrustedProxy(app)

  await app.register(async (guarded) => {
    // A foreign page can post text/plain without a preflight request. No route needs it.
    guarded.removeContentTypeParser('text/plain')
    protectFromForgery(guarded, { secret: deps.env.sessionSecret, publicUrl: deps.env.publicUrl })
    await registerRoutes(guarded as unknown as FastifyInstance, deps, pages, source)
  })
  return app as unknown as FastifyInstance
}

/** The HTTP server. Cached responses are sent before Fastify sees the request. */
function serverFactory(deps: Deps, source: PageSource): FastifyServerFactory {
  const sessionName = sessionCookie(isHttps(deps.env.publicUrl))
  const timeouts = { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS }
  return (handler) =>
    createServer(timeouts, (req, res) => {
      req.url = withoutTracking(req.url ?? '/')
      if (source.middleware) source.middleware(req, res, () => handler(req, res))
      else if (!serveFromCache(deps.responseCache, sessionName, req, res)) handler(req, res)
    })
}

/** Reads an empty JSON body as no body: many clients set the content type on every request. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, body, done),
  )
}

/** Notifies the SMS sender after each successful write, which may have added to the outbox. */
function sendSmsAfterWrites(app: FastifyInstance, { sms }: Deps): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (request.method !== 'GET' && reply.statusCode < 400) sms.notify()
    done()
  })
}

/** Warns once: without TRUST_PROXY all visitors behind a reverse proxy share its address and the limits of that address. */
function warnOfUntrustedProxy(app: FastifyInstance): void {
  let hasWarned = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasWarned && request.headers['x-forwarded-for'] !== undefined) {
      hasWarned = true
      request.log.warn('X-Forwarded-For is ignored: set TRUST_PROXY to the address of your reverse proxy')
    }
    done()
  })
}
