import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { shownLogo } from '#features/settings/logo-rules.ts'
import { ownCategories } from '#features/catalog/categories/category-cache.server.ts'
import { categoryPath } from '#features/catalog/category-keys.ts'
import { isHttps } from '#lib/http/is-https.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Picture } from '#lib/files/picture.ts'
import type { PageContextValue } from '#page/page-context.tsx'
import { displayName } from '#features/auth/placeholder-names.server.ts'
import { isAdminPath } from '#features/auth/admin-path-rules.ts'
import { isStaff, type Permission } from '#features/auth/permissions.ts'
import { csvStream, type CsvFile } from '#lib/csv/csv.server.ts'
import type { AdminRoute } from '#site/admin/admin-route.server.ts'
import type { PageContext, PageData, PageRoute } from '#site/page-route.server.ts'
import { analyticsOf } from '#site/analytics/config.ts'
import type { PageName, PageProps } from '#site/pages.ts'
import { configuredGateways } from '#features/orders/checkout/payment-choices.server.ts'
import { paymentMarks } from '#features/payments/payment-marks.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { newOrderAccessToken } from '#features/orders/order-access-token.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { chooseEncoding, compressStream } from '../cache/compression.ts'
import { antiForgeryToken } from '../plugins/csrf.ts'
import { wantsPage } from '#lib/http/request-kind.server.ts'
import { contentSecurityPolicy, permissionsPolicy } from '../plugins/security-headers.ts'
import type { Deps } from '../deps.ts'
import type { PageSource } from './assets.ts'
import { renderDocument } from './document.ts'
import { SavedFiltersCache } from './saved-filters-cache.ts'
import { challengeCookie } from '#features/auth/cookies.ts'
import { setOrderAccessCookie } from '#features/orders/order-access.server.ts'
import { readCookie } from '#lib/http/read-cookie.ts'
import { shownPopup } from '../cache/serve-from-cache.ts'

/** How long the error page waits for settings from the database. */
const ERROR_PAGE_WAIT_MS = 500

/** Categories of the owner in menus; the sitemap has all. */
const MAX_MENU_CATEGORIES = 12

const GATEWAY_PAGES = ['https://*.sslcommerz.com', 'https://*.bka.sh', 'https://*.bkash.com']

/** Pages that compile a barcode reader for the camera. */
const WASM_PAGES = new Set(['pos/pos', 'admin/stock-takes/stock-take'])

/** Pages that use the scale or the receipt printer. */
const DEVICE_PAGES = new Set(['pos/pos', 'admin/print/receipt'])

/** Loads, renders and sends pages as whole documents. */
export class PageRenderer {
  readonly #deps: Deps
  readonly #source: PageSource
  readonly #formTargets: string[]
  readonly #imageHosts: string[]
  readonly #savedFilters: SavedFiltersCache
  readonly #setOrderAccessCookie: ReturnType<typeof setOrderAccessCookie>

  constructor(deps: Deps, source: PageSource) {
    this.#deps = deps
    this.#savedFilters = new SavedFiltersCache(deps.db, deps.catalogRevision)
    this.#source = source
    this.#setOrderAccessCookie = setOrderAccessCookie(deps)
    const { uploadsPublicUrl } = deps.env
    this.#imageHosts = uploadsPublicUrl ? [new URL(uploadsPublicUrl).origin] : []
    // Browsers follow a form's redirect to a gateway only when the policy allows it.
    this.#formTargets = deps.simulator ? [] : GATEWAY_PAGES
  }

  /** Registers a storefront page. */
  add(app: FastifyInstance, route: PageRoute): void {
    app.get(route.url, { config: { page: true, ...(route.cache ? { cache: route.cache } : {}) } }, async (request, reply) => {
      if (route.personal === 'order' || (request.viewer.user && route.personal)) reply.header('cache-control', 'no-store')
      if (route.placesOrders && request.viewer.issuedBrowser === null)
        this.#setOrderAccessCookie(reply, newOrderAccessToken(this.#deps.env.sessionSecret))
      const loaded = await route.load(this.#context(request))
      if ('redirect' in loaded) return reply.redirect(loaded.redirect, loaded.isPermanent ? 308 : 303)
      if ('refuse' in loaded) return reply.fail(loaded.refuse, 'error.not-found')
      // A form in place of a page that is not there is of no use to a program.
      if (loaded.status === 404 && !wantsPage(request)) return reply.fail(404, 'error.not-found')
      return this.#send(request, reply, loaded.page ?? route.page, loaded)
    })
  }

  /** Registers an admin page. `authorizeAdmin` checks its permission before it loads. */
  addAdmin(app: FastifyInstance, route: AdminRoute): void {
    app.get(route.url, { config: { page: true, permission: route.permission } }, async (request, reply) => {
      const { staff } = request
      const shared = <T>(name: string, read: () => Promise<T>) => this.#deps.sharedReads.get(`${route.url} ${name}`, staff.id, read)
      const context = { ...this.#context(request), staff, shared }
      const load = async (db: Db): Promise<Awaited<ReturnType<AdminRoute['load']>>> => route.load({ ...context, db })
      const loaded = await (route.readsReplica ? request.read(load) : load(context.db))
      if ('redirect' in loaded) return reply.redirect(loaded.redirect, loaded.isPermanent ? 308 : 303)
      if ('refuse' in loaded) return this.#missing(request, reply, loaded.refuse)
      if ('csv' in loaded) return sendCsv(request, reply, loaded.csv)
      const saved = route.screen ? { savedFilters: await this.#savedFilters.get(staff.id, route.screen) } : {}
      return this.#send(request, reply, route.page, { ...loaded, props: { ...loaded.props, ...saved } })
    })
  }

  /** Renders the page that names the missing permissions. */
  sendDenied(request: FastifyRequest, reply: FastifyReply, permissions: readonly Permission[]): Promise<FastifyReply> {
    const title = translate(request.viewer.lang)('admin.denied.title')
    return this.send(request, reply, 'admin/denied', { status: 403, props: { permissions }, head: { title, canonical: null } })
  }

  /** A missing row renders inside the admin; an API client gets JSON. */
  #missing(request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply | Promise<FastifyReply> {
    if (!wantsPage(request)) return reply.fail(status, 'error.not-found')
    const title = translate(request.viewer.lang)('admin.missing.title')
    return this.send(request, reply, 'admin/missing', { status, props: {}, head: { title, canonical: null } })
  }

  /** Renders and sends a page. */
  send<Name extends PageName>(
    request: FastifyRequest,
    reply: FastifyReply,
    page: Name,
    data: PageData<PageProps<Name>>,
  ): Promise<FastifyReply> {
    return this.#send(request, reply, page, data)
  }

  /** Sends a form of the sign-in routes: they stand below the pages, so the compiler does not compare the props. */
  sendForm(request: FastifyRequest, reply: FastifyReply, page: string, data: PageData): Promise<FastifyReply> {
    return this.#send(request, reply, page, data)
  }

  async #send(request: FastifyRequest, reply: FastifyReply, page: string, data: PageData): Promise<FastifyReply> {
    const { lang } = request.viewer
    const { shell, logo } = await this.#shell(request, data.status ?? 200)
    const assets = this.#source.assets(page, lang)
    const analytics = await this.#analytics(request, page)
    const render = await this.#source.renderer()
    const document = renderDocument({
      lang,
      page,
      shopName: shell.shop.name,
      logo,
      head: data.head,
      html: render(page, shell, data.props),
      propsJson: JSON.stringify({ shell, props: data.props, today: dhakaDate(new Date()) }),
      csrfToken: shell.csrfToken,
      publicUrl: this.#deps.env.publicUrl,
      assets,
      analytics,
    })
    reply.header(
      'content-security-policy',
      contentSecurityPolicy({
        cssHash: assets.cssHash,
        formTargets: this.#formTargets,
        imageHosts: this.#imageHosts,
        wasm: WASM_PAGES.has(page),
        analytics: analytics !== null,
      }),
    )
    if (DEVICE_PAGES.has(page)) reply.header('permissions-policy', permissionsPolicy({ devices: true }))
    if (request.viewer.user && !reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
    return reply
      .code(data.status ?? 200)
      .type('text/html; charset=utf-8')
      .send(document)
  }

  /** The ids and script with which a page of the shop is measured; null for none. */
  async #analytics(request: FastifyRequest, page: string) {
    const script = this.#source.analyticsScript()
    // An error page must not wait for a database that is away.
    const settings = script && page.startsWith('store/') && page !== 'store/error' ? await this.#deps.shopCache.settings() : null
    const { user } = request.viewer
    const visit = { page, path: request.url, isStaff: user !== null && isStaff(user.role) }
    const ids = settings && analyticsOf(settings, visit, this.#deps.conversions !== null)
    return ids && script ? { ids, script } : null
  }

  #context(request: FastifyRequest): PageContext {
    const { db, shopCache, search, now, env, gateways, sms, email } = this.#deps
    const { user, browser, lang } = request.viewer
    return {
      db,
      shopCache,
      search,
      lang,
      path: request.url,
      now: now(),
      publicUrl: env.publicUrl,
      process: { isProduction: env.production, dataDir: env.dataDir, backupTo: env.backupTo, isEmbedded: env.databaseUrl === null },
      defaultGateway: gateways.default,
      gateways: configuredGateways(gateways),
      sendsSms: sms.canSend,
      sendsEmail: email !== null,
      query: firstValues(request.query as Record<string, unknown>),
      params: request.params as Record<string, string>,
      user,
      browser,
      challenge: readCookie(request.headers.cookie, challengeCookie(isHttps(env.publicUrl))),
      popupShown: shownPopup(request.headers.cookie),
    }
  }

  /** The menu's categories beside the sections. None on an error page whose database is away. */
  async #ownCategories(lang: Lang, status: number): Promise<PageContextValue['categories']> {
    const known = this.#deps.shopCache.categories().catch(() => [])
    const categories = await (status < 500 ? known : Promise.race([known, sleep(ERROR_PAGE_WAIT_MS, [])]))
    return ownCategories(categories)
      .slice(0, MAX_MENU_CATEGORIES)
      .map((category) => ({ href: categoryPath(category), label: lang === 'bn' ? category.name_bn : category.name_en }))
  }

  async #shell(request: FastifyRequest, status: number): Promise<{ shell: PageContextValue; logo: Picture | null }> {
    const { env, shopCache, gateways, sms } = this.#deps
    const { lang, user } = request.viewer
    // The error page of an unreachable database must render without it.
    const known = shopCache.settings().catch(() => DEFAULT_SETTINGS)
    const settings = await (status < 500 ? known : Promise.race([known, sleep(ERROR_PAGE_WAIT_MS, DEFAULT_SETTINGS)]))
    const { shop, opening } = settings
    const categories = isAdminPath(request.url) ? [] : await this.#ownCategories(lang, status)
    const isClosed = user !== null && isStaff(user.role) && !opening.isOpen
    const shell: PageContextValue = {
      lang,
      path: request.url,
      user: user && { id: user.id, name: displayName(user, lang), role: user.role },
      shop: {
        name: shop.name[lang],
        motto: shop.motto[lang],
        phone: shop.phone,
        whatsapp: shop.whatsapp,
        email: shop.email,
        address: shop.address[lang],
        hours: shop.openingHours[lang],
        licence: settings.trade_licence,
        logo: shownLogo(settings.logo),
      },
      categories,
      payments: isAdminPath(request.url) ? [] : paymentMarks(configuredGateways(gateways), settings.payment_numbers),
      csrfToken: antiForgeryToken(env.sessionSecret, request.viewer),
      // Tells staff that only they see the closed shop.
      announcement: isClosed ? translate(lang)('shell.closed') : settings.announcement[lang],
      isClosed,
      sendsSms: sms.canSend,
      demo: env.demo === 'on',
    }
    return { shell, logo: settings.logo?.picture ?? null }
  }
}

/** The first value of each query parameter. */
function firstValues(query: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(Array.isArray(value) ? value[0] : value)]))
}

/** Streams a list as a CSV file. */
function sendCsv(request: FastifyRequest, reply: FastifyReply, csv: CsvFile): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply
    .type('text/csv; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('vary', 'Accept-Encoding')
    .header('content-disposition', `attachment; filename="${csv.filename}"`)
    .send(compressStream(csvStream(csv.head, csv.rows), encoding))
}
