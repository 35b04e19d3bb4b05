import { parseGatewayAmount } from '#features/payments/amounts.ts'
import { escapeHtml } from '#lib/format/escape.ts'
import { formatTaka } from '#lib/format/money.ts'

export type PageAction = {
  label: string
  labelBn: string
  /** Posted to this address; the fields travel with it. */
  action: string
  fields?: Readonly<Record<string, string>>
  look: 'pay' | 'plain' | 'quiet'
}

export type HostedPage = {
  brand: 'card' | 'wallet'
  title: string
  shop: string
  amount: string
  reference: string
  message?: { en: string; bn: string }
  actions: readonly PageAction[]
  cssUrl: string
  backUrl?: string
}

/** The page a shopper pays on: plain forms, no script, in both languages, and plainly a demonstration. */
export function hostedPage(page: HostedPage): string {
  const title = escapeHtml(page.title)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${escapeHtml(page.cssUrl)}">
</head>
<body class="${page.brand}">
<p class="demo"><strong>DEMO</strong> No real money moves. <span lang="bn">ডেমো: এখানে আসল টাকা লেনদেন হয় না।</span></p>
<main>
<h1>${title}</h1>
<dl>
<div><dt>Shop <span lang="bn">দোকান</span></dt><dd>${escapeHtml(page.shop)}</dd></div>
<div><dt>Reference <span lang="bn">রেফারেন্স</span></dt><dd class="reference">${escapeHtml(page.reference)}</dd></div>
<div class="amount"><dt>To pay <span lang="bn">মোট দেয়</span></dt><dd>${escapeHtml(taka(page.amount))}</dd></div>
</dl>
${page.message ? `<p class="message" role="status">${escapeHtml(page.message.en)} <span lang="bn">${escapeHtml(page.message.bn)}</span></p>` : ''}
${page.actions.map(form).join('\n')}
${page.backUrl ? `<a class="back" href="${escapeHtml(page.backUrl)}">Back to the shop <span lang="bn">দোকানে ফিরুন</span></a>` : ''}
</main>
</body>
</html>
`
}

function taka(amount: string): string {
  const read = parseGatewayAmount(amount)
  return read === null ? amount : formatTaka(read, 'en')
}

function form(action: PageAction): string {
  const fields = Object.entries(action.fields ?? {})
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('')
  return `<form method="post" action="${escapeHtml(action.action)}">${fields}<button class="${action.look}">${escapeHtml(action.label)} <span lang="bn">${escapeHtml(action.labelBn)}</span></button></form>`
}

/** `prefix`: where browsers reach the simulator. */
export const hostedCss = (prefix: string) => `
@font-face { font-family: "Hind Siliguri"; src: url("${prefix}/bengali.woff2") format("woff2"); unicode-range: U+0964-0965, U+0980-09F2, U+09F4-09FF, U+200C-200D; font-display: swap; }
@font-face { font-family: "Hind Siliguri"; src: url("${prefix}/taka.woff2") format("woff2"); unicode-range: U+09F3; font-display: swap; }
:root { color-scheme: light; --ink: #1c2430; --line: #d9dee6; --pay: #1f5fbf; --paper: #eef1f6; }
.wallet { --pay: #b8125a; --paper: #fbeff5; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--paper); color: var(--ink); font: 16px/1.6 "Hind Siliguri", system-ui, sans-serif; }
.demo { margin: 0; padding: 10px 16px; background: #f6c51b; text-align: center; font-size: 14px; }
.demo span { display: block; }
main { max-width: 400px; margin: 20px auto; padding: 20px; background: #fff; border: 1px solid var(--line); border-top: 5px solid var(--pay); border-radius: 10px; width: calc(100% - 32px); }
h1 { margin: 0 0 12px; font-size: 20px; line-height: 1.3; }
dl { margin: 0 0 16px; }
dl div { display: flex; justify-content: space-between; gap: 12px; padding: 8px 0; border-bottom: 1px solid var(--line); }
dt { color: #5a6472; }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
.reference { font-size: 12px; font-family: ui-monospace, monospace; }
.amount { align-items: baseline; }
.amount dd { font-size: 26px; font-weight: 700; font-variant-numeric: tabular-nums; }
.message { padding: 10px 12px; border: 1px solid var(--line); border-left: 4px solid var(--pay); border-radius: 6px; }
.message span { display: block; }
form { margin: 0 0 10px; }
button, .back { display: block; width: 100%; min-height: 48px; padding: 8px 16px; border-radius: 8px; border: 1px solid var(--line); background: #fff; color: var(--ink); font: inherit; font-weight: 600; cursor: pointer; text-align: center; text-decoration: none; }
button.pay { background: var(--pay); border-color: var(--pay); color: #fff; }
button.quiet { border-color: transparent; color: #5a6472; font-weight: 400; }
button span, .back span { font-weight: 400; margin-left: 4px; }
button:focus-visible, .back:focus-visible { outline: 3px solid #f6c51b; outline-offset: 2px; }
button:hover { filter: brightness(.95); }
`

/**
 * The page has another origin than the shop, like the real one: the sandbox makes its posts cross-site
 * even though the demo serves it from the same server.
 */
export function pageHeaders(cssUrl: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': `sandbox allow-forms allow-scripts; default-src 'none'; style-src ${new URL(cssUrl).origin}; font-src ${new URL(cssUrl).origin}; frame-ancestors 'none'; base-uri 'none'`,
  }
}
