import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import type { PageContextValue } from '#page/page-context.tsx'
import type { Permission } from '#features/auth/permissions.ts'
import { csvStream, type CsvFile } from '#lib/csv/csv.server.ts'
import type { AdminRoute } from '#site/admin/admin-route.server.ts'
import type { PageContext, PageData, PageRoute } from '#site/page-route.server.ts'
import { configuredGateways } from '#features/orders/checkout/payment-choices.server.ts'
import { newBrowserSecret } from '#features/orders/order-access-token.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { antiForgeryToken } from '../plugins/csrf.ts'
import { contentSecurityPolicy } from '../plugins/security-headers.ts'
import type { Deps } from '../deps.ts'
import type { PageSource } from './assets.ts'
import { renderDocument } from './document.ts'
import { SavedFilterLists } from './saved-filters-cache.ts'
import { challengeCookie, POPUP_COOKIE, readCookie } from '../cookies.ts'
import { setOrderAccessCookie } from '../routes/order-access.ts'

/** The page that says that the database does not answer waits no longer for it. */
const ERROR_PAGE_WAIT_MS = 500

const GATEWAY_PAGES = ['https://*.sslcommerz.com', 'https://*.bka.sh', 'https://*.bkash.com']

/** The till reads barcodes from its camera. */
const WASM_PAGES = new Set(['pos/pos'])

/** Renders pages into whole documents. */
export class PageRenderer {
  readonly #deps: Deps
  readonly #source: PageSource
  readonly #formTargets: string[]
  readonly #savedFilters: SavedFilterLists
  readonly #setOrderAccessCookie: ReturnType<typeof setOrderAccessCookie>

  constructor(deps: Deps, source: PageSource) {
    this.#deps = deps
    this.#savedFilters = new SavedFilterLists(deps.db, deps.kept)
    this.#source = source
    this.#setOrderAccessCookie = setOrderAccessCookie(deps)
    // A form that ends at a gateway's page is followed there only when the policy names it.
    this.#formTargets = deps.simulator ? [] : GATEWAY_PAGES
  }

  /** Adds the page's route to the app. */
  add(app: FastifyInstance, route: PageRoute): void {
    app.get(route.url, { config: { page: true, keep: route.keep ?? false } }, async (request, reply) => {
      if (request.viewer.user && route.personal) reply.header('cache-control', 'no-store')
      if (route.placesOrders && request.viewer.issuedBrowser === null)
        this.#setOrderAccessCookie(reply, newBrowserSecret(this.#deps.env.sessionSecret))
      const loaded = await route.load(this.#context(request))
      if ('redirect' in loaded) return reply.redirect(loaded.redirect, 303)
      if ('refuse' in loaded) return reply.refuse(loaded.refuse, 'error.not-found')
      return this.send(request, reply, loaded.page ?? route.page, loaded)
    })
  }

  /** Adds a page of the admin; the guard has looked at the right before it loads. */
  addAdmin(app: FastifyInstance, route: AdminRoute): void {
    app.get(route.url, { config: { page: true, right: route.right } }, async (request, reply) => {
      const { staff } = request
      const together = <T>(name: string, read: () => Promise<T>) => this.#deps.seen.see(`${route.url} ${name}`, staff.id, read)
      const loaded = await route.load({ ...this.#context(request), staff, together })
      if ('redirect' in loaded) return reply.redirect(loaded.redirect, 303)
      if ('refuse' in loaded) return this.#missing(request, reply, loaded.refuse)
      if ('csv' in loaded) return sendCsv(reply, loaded.csv)
      const saved = route.screen ? { savedFilters: await this.#savedFilters.of(staff.id, route.screen) } : {}
      return this.send(request, reply, route.page, { ...loaded, props: { ...loaded.props, ...saved } })
    })
  }

  /** The page for somebody of the staff whose role does not include this. */
  sendDenied(request: FastifyRequest, reply: FastifyReply, rights: readonly Permission[]): Promise<FastifyReply> {
    const title = translate(request.viewer.lang)('admin.denied.title')
    return this.send(request, reply, 'admin/denied', { status: 403, props: { rights }, head: { title, canonical: null } })
  }

  /** Somebody of the staff stays in the admin when a row is not there; a program gets its JSON. */
  #missing(request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply | Promise<FastifyReply> {
    if (!(request.headers.accept ?? '').includes('text/html')) return reply.refuse(status, 'error.not-found')
    const title = translate(request.viewer.lang)('admin.missing.title')
    return this.send(request, reply, 'admin/missing', { status, props: {}, head: { title, canonical: null } })
  }

  async send(request: FastifyRequest, reply: FastifyReply, page: string, data: PageData): Promise<FastifyReply> {
    const { lang } = request.viewer
    const shell = await this.#shell(request, data.status ?? 200)
    const assets = this.#source.assets(page, lang)
    const render = await this.#source.renderer()
    const document = renderDocument({
      lang,
      page,
      head: data.head,
      pieces: render(page, shell, data.props),
      propsJson: JSON.stringify({ shell, props: data.props }),
      csrfToken: shell.csrfToken,
      publicUrl: this.#deps.env.publicUrl,
      assets,
    })
    reply.header(
      'content-security-policy',
      contentSecurityPolicy({ cssHash: assets.cssHash, formTargets: this.#formTargets, wasm: WASM_PAGES.has(page) }),
    )
    if (request.viewer.user && !reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
    return reply
      .code(data.status ?? 200)
      .type('text/html; charset=utf-8')
      .send(document)
  }

  #context(request: FastifyRequest): PageContext {
    const { db, facts, search, now, env, gateways, sms } = this.#deps
    const { user, browser, lang } = request.viewer
    const popup = readCookie(request.headers.cookie, POPUP_COOKIE)
    return {
      db,
      facts,
      search,
      lang,
      path: request.url,
      now: now(),
      publicUrl: env.publicUrl,
      defaultGateway: gateways.default,
      gateways: configuredGateways(gateways),
      sendsSms: sms.gateway !== null,
      query: firstValues(request.query as Record<string, unknown>),
      params: request.params as Record<string, string>,
      user,
      browser,
      challenge: readCookie(request.headers.cookie, challengeCookie(env.publicUrl.startsWith('https:'))),
      popupShown: popup && /^\d{1,10}$/.test(popup) ? Number(popup) : null,
    }
  }

  async #shell(request: FastifyRequest, status: number): Promise<PageContextValue> {
    const { env, facts } = this.#deps
    const { lang, user } = request.viewer
    // The page that says the database is away must itself do without it.
    const known = facts.settings().catch(() => DEFAULT_SETTINGS)
    const settings = await (status < 500 ? known : Promise.race([known, sleep(ERROR_PAGE_WAIT_MS, DEFAULT_SETTINGS)]))
    const { shop } = settings
    return {
      lang,
      path: request.url,
      user: user && { id: user.id, name: user.name, role: user.role },
      shop: {
        name: shop.name[lang],
        motto: shop.motto[lang],
        phone: shop.phone,
        whatsapp: shop.whatsapp,
        email: shop.email,
        address: shop.address[lang],
        hours: shop.openingHours[lang],
      },
      csrfToken: antiForgeryToken(env.sessionSecret, request.viewer.sessionId),
      announcement: settings.announcement[lang],
      demo: env.demo === 'on',
    }
  }
}

/** A repeated query parameter counts once, with its first value. */
function firstValues(query: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(Array.isArray(value) ? value[0] : value)]))
}

/** A list as a file for a spreadsheet program, sent as it is read. */
function sendCsv(reply: FastifyReply, csv: CsvFile): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${csv.filename}"`)
    .send(csvStream(csv.head, csv.rows))
}
