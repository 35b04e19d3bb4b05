import { derivedUrl } from '#lib/files/derived-picture.ts'
import type { Picture } from '#lib/files/picture.ts'
import { escapeHtml } from '#lib/format/escape.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Head, PreloadedPicture } from '#site/page-route.server.ts'
import type { PageAssets } from './assets.ts'
import { BOOTSTRAP_SCRIPT } from './bootstrap-script.ts'

interface DocumentParts {
  lang: Lang
  page: string
  head: Head
  shopName: string
  /** The shop's own logo. */
  logo: Picture | null
  /** The rendered page. */
  html: string
  propsJson: string
  csrfToken: string
  publicUrl: string
  assets: PageAssets
  /** The ids and the script of measuring visits; null: nothing is added. */
  analytics: { ids: object; script: string } | null
}

/** JSON made safe inside an attribute of single quotes: it is full of double ones, which may then stay as they are. */
function escapeJsonAttribute(json: string): string {
  return json.replace(/[&<']+/g, escapeHtml)
}

/** JSON made safe inside a script element. */
export function escapeScriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
}

/** The whole document around a rendered page, as it is sent. */
export function renderDocument(parts: DocumentParts): Buffer {
  const mount = `<div id="app" data-page="${escapeHtml(parts.page)}" data-props='${escapeJsonAttribute(parts.propsJson)}'>`
  return Buffer.from(`${headHtml(parts)}\n<body>${mount}${parts.html}</div></body>\n</html>`)
}

function headHtml(parts: DocumentParts): string {
  const { lang, head, shopName, logo, assets, publicUrl } = parts
  const title = head.endsWithShop ? `${head.title} · ${shopName}` : head.title
  const e = escapeHtml
  const meta = (name: string, content: string) => `<meta name="${name}" content="${e(content)}">`
  const og = (property: string, content: string) => `<meta property="og:${property}" content="${e(content)}">`
  const lines = [
    '<!doctype html>',
    // A translator replaces text nodes that React goes on to change: sums and quantities would stay as they were.
    `<html lang="${lang}" translate="no"${assets.cssHash === null ? ' data-scripts' : ''}>`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="google" content="notranslate">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    ...(head.preload ?? []).map(preloadLink),
    `<title>${e(title)}</title>`,
    head.description ? meta('description', head.description) : '',
    meta('csrf-token', parts.csrfToken),
    meta('theme-color', '#16452C'),
    ...canonicalLinks(head, lang, publicUrl),
    og('title', title),
    head.description ? og('description', head.description) : '',
    og('type', head.ogType ?? 'website'),
    og('locale', lang === 'bn' ? 'bn_BD' : 'en_GB'),
    og('site_name', shopName),
    og('image', absolute(publicUrl, head.image ?? (logo ? derivedUrl(logo, 'og') : '/icons/og.png'))),
    og('image:width', '1200'),
    og('image:height', '630'),
    head.imageAlt ? og('image:alt', head.imageAlt) : '',
    ...(head.price === undefined ? [] : priceTags(head.price)),
    meta('twitter:card', 'summary_large_image'),
    iconLinks(logo),
    '<link rel="manifest" href="/manifest.webmanifest">',
    ...assets.fonts.map((file) => `<link rel="preload" as="font" type="font/woff2" href="${e(file)}" crossorigin>`),
    assets.css ? `<style>${assets.css}</style>` : '',
    ...assets.sheets.map((file) => `<link rel="stylesheet" href="${e(file)}">`),
    ...scriptTags(assets),
    ...analyticsTags(parts.analytics),
    ...(head.jsonLd ?? []).map((data) => `<script type="application/ld+json">${escapeScriptJson(data)}</script>`),
    '</head>',
  ]
  return lines.filter(Boolean).join('\n')
}

function iconLinks(logo: Picture | null): string {
  if (logo === null)
    return '<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="apple-touch-icon" href="/icons/apple-touch-icon.png">'
  const icon = escapeHtml(derivedUrl(logo, 'icon'))
  return `<link rel="icon" href="${icon}" type="image/png"><link rel="apple-touch-icon" href="${icon}">`
}

/** Waits for the page's first second by itself. */
function analyticsTags(analytics: DocumentParts['analytics']): string[] {
  if (analytics === null) return []
  const { ids, script } = analytics
  return [
    `<meta name="analytics" content="${escapeHtml(JSON.stringify(ids))}">`,
    `<script type="module" async fetchpriority="low" src="${escapeHtml(script)}"></script>`,
  ]
}

/** The price in Facebook's vocabulary for products. */
function priceTags(price: number): string[] {
  return [`<meta property="product:price:amount" content="${price}">`, '<meta property="product:price:currency" content="BDT">']
}

/** In development Vite's scripts, loaded immediately; else the built ones, after the first paint. */
function scriptTags(assets: PageAssets): string[] {
  if (assets.cssHash === null) return assets.scripts.map((file) => `<script type="module" src="${escapeHtml(file)}"></script>`)
  return [`<meta name="start" content="${escapeHtml(assets.scripts.join(' '))}">`, `<script>${BOOTSTRAP_SCRIPT}</script>`]
}

/** Browsers without AVIF pass it over by its type. */
function preloadLink({ srcset, sizes, media }: PreloadedPicture): string {
  const screens = media ? ` media="${escapeHtml(media)}"` : ''
  return `<link rel="preload" as="image" type="image/avif" imagesrcset="${escapeHtml(srcset)}" imagesizes="${escapeHtml(sizes)}"${screens} fetchpriority="high">`
}

function absolute(publicUrl: string, path: string): string {
  return path.startsWith('/') ? publicUrl + path : path
}

function canonicalLinks(head: Head, lang: Lang, publicUrl: string): string[] {
  if (!head.canonical) return ['<meta name="robots" content="noindex">']
  const english = publicUrl + head.canonical
  const bengali = english + (english.includes('?') ? '&' : '?') + 'lang=bn'
  const e = escapeHtml
  return [
    `<link rel="canonical" href="${e(lang === 'bn' ? bengali : english)}">`,
    `<link rel="alternate" hreflang="en" href="${e(english)}">`,
    `<link rel="alternate" hreflang="bn" href="${e(bengali)}">`,
    `<link rel="alternate" hreflang="x-default" href="${e(english)}">`,
    `<meta property="og:url" content="${e(lang === 'bn' ? bengali : english)}">`,
  ]
}
