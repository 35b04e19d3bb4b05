import { createHash } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import type { Settings } from '#features/settings/settings.ts'
import { callLink } from '#lib/format/contact-links.ts'
import { escapeHtml } from '#lib/format/escape.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { type Lang, LANGS } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Deps } from '../deps.ts'

const PAGE = '/offline'

const STYLE = `body{margin:0;min-height:100vh;display:grid;align-content:center;gap:2rem;padding:1.5rem;box-sizing:border-box;
font:1.0625rem/1.6 system-ui,sans-serif;background:#FBF8F1;color:#24211C}
main,section{max-width:34rem;width:100%;margin:0 auto}section+section{border-top:1px solid #D9D2C3;padding-top:1.5rem;margin-top:1.5rem}
b{font-size:1.125rem;color:#16452C}h1,h2{font-size:1.5rem;line-height:1.3;margin:0}p{margin:.5rem 0 0}
div{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1rem}
a{display:inline-flex;align-items:center;min-height:3rem;padding:0 1.25rem;border-radius:.75rem;border:2px solid #16452C;color:#16452C;
font-weight:600;text-decoration:none}a:first-child{background:#16452C;color:#FFF}a:focus-visible{outline:3px solid #F2B705;outline-offset:2px}`
const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

/**
 * The service worker of the shop, a classic script. It answers page requests alone, from the network; without an answer it shows the
 * offline page, the only thing that it caches. So no price and no status is ever shown from a cache [decision 59]. Without network the
 * preload of Firefox is a response of type `error`; other browsers reject. Admin and POS are left to the network and to the worker of the
 * POS, whose narrower scope wins. A new version takes over at once: open pages do not depend on it.
 */
const WORKER = `const CACHE='khamar-shop-offline',PAGE='${PAGE}'
addEventListener('install',e=>{
try{e.addRoutes(['/assets/*','/uploads/*','/api/*','/icons/*'].map(pathname=>({condition:{urlPattern:{pathname}},source:'network'}))).catch(()=>{})}catch{}
e.waitUntil((async()=>{
const answer=await fetch(PAGE,{cache:'no-store',credentials:'omit'})
if(!answer.ok)throw new Error('no offline page')
await(await caches.open(CACHE)).put(PAGE,answer)
await skipWaiting()})())})
addEventListener('activate',e=>e.waitUntil((async()=>{
await registration.navigationPreload?.enable()
await clients.claim()})()))
addEventListener('fetch',e=>{
const{request}=e
if(request.mode!='navigate'||request.method!='GET'||/^\\/admin(\\/|$)/.test(new URL(request.url).pathname))return
e.respondWith((async()=>{
try{const ahead=await e.preloadResponse
return ahead&&ahead.type!='error'?ahead:await fetch(request)}catch{return await caches.match(PAGE,{cacheName:CACHE})||Response.error()}})())})
`

/** Serves the offline page and the service worker of the shop. Both need no session, and are served by a closed shop, too. */
export function offlineRoutes({ shopCache }: Pick<Deps, 'shopCache'>): FastifyPluginAsync {
  return async (app) => {
    const options = { config: { static: true }, schema: { hide: true } } as const
    app.get(PAGE, options, async (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('x-robots-tag', 'noindex')
        .header('content-security-policy', `default-src 'none'; style-src ${STYLE_HASH}; base-uri 'none'; frame-ancestors 'none'`)
        .send(offlinePage(await shopCache.settings())),
    )

    app.get('/shop-worker.js', options, async (_request, reply) => {
      // Browsers compare the script byte by byte: another phone or name makes them fetch the page again.
      const version = createHash('sha256')
        .update(offlinePage(await shopCache.settings()))
        .digest('hex')
        .slice(0, 16)
      return reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(`// ${version}\n${WORKER}`)
    })
  }
}

/** The page in both languages, because a worker cannot read which one the visitor chose. Its links need no script. */
function offlinePage({ shop }: Settings): string {
  const texts = LANGS.toSorted().map((lang, index) => section(lang, index === 0 ? 'h1' : 'h2', shop))
  return `<!doctype html><html lang="bn"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="theme-color" content="#16452C"><title>${escapeHtml(translate('bn')('offline.title'))} · ${escapeHtml(shop.name.bn)}</title>
<style>${STYLE}</style></head><body><main>${texts.join('')}</main></body></html>`
}

function section(lang: Lang, heading: 'h1' | 'h2', shop: Settings['shop']): string {
  const t = translate(lang)
  const phone = shop.phone
    ? `<a href="${escapeHtml(callLink(shop.phone))}">${escapeHtml(t('offline.call', { phone: localizeDigits(lang, shop.phone) }))}</a>`
    : ''
  // An empty URL is that of the requested page.
  return `<section lang="${lang}"><b>${escapeHtml(shop.name[lang])}</b><${heading}>${escapeHtml(t('offline.title'))}</${heading}>
<p>${escapeHtml(t('offline.text'))}</p><div><a href="">${escapeHtml(t('offline.again'))}</a>${phone}</div></section>`
}
