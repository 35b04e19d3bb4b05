// The two parts of an email: plain text and HTML. No style sheet and no script, which mail programs block. The shop's logo is the only
// picture: one address for all recipients, which tells nothing about the reader.
import { escapeHtml } from '#lib/format/escape.ts'
import type { Lang } from '#lib/i18n/lang.ts'

export interface EmailContent {
  lang: Lang
  subject: string
  shopName: string
  /** Absolute URL of the shop's logo; null: its name alone. */
  logoUrl: string | null
  heading: string
  /** Paragraphs above the lines. */
  intro: string[]
  /** A label with its value: items, then sums. `isStrong`: the total. */
  items: EmailRow[]
  sums: EmailRow[]
  /** Further details: delivery date, payment. */
  details: EmailRow[]
  link: { href: string; label: string } | null
  footer: string[]
}

export interface EmailRow {
  label: string
  /** A second line below the label; may be empty. */
  note?: string
  value: string
  isStrong?: boolean
}

/** The text part. */
export function emailText({ heading, intro, items, sums, details, link, footer }: EmailContent): string {
  const line = ({ label, note, value }: EmailRow) => `${label}${note ? ` (${note})` : ''}: ${value}`
  const blocks = [[heading], intro, items.map(line), sums.map(line), details.map(line), link ? [`${link.label}:`, link.href] : [], footer]
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`
}

const CELL = 'padding:6px 0;vertical-align:top;'
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,'Noto Sans Bengali',Arial,sans-serif;"

/** The HTML part. Every value is escaped. */
export function emailHtml(content: EmailContent): string {
  const e = escapeHtml
  const paragraph = (text: string) => `<p style="margin:0 0 12px">${e(text)}</p>`
  const { lang, subject, shopName, logoUrl, heading, intro, items, sums, details, link, footer } = content
  const logo = logoUrl
    ? `<img src="${e(logoUrl)}" alt="" height="40" style="height:40px;max-width:160px;object-fit:contain;background:#fff;border-radius:4px;padding:2px;vertical-align:middle;margin-right:10px">`
    : ''
  return `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${e(subject)}</title></head>
<body style="margin:0;padding:16px;background:#f6f3ea;color:#1d1d1b;font-size:16px;line-height:1.5;${FONT}">
<table role="presentation" style="width:100%;max-width:560px;margin:0 auto;border-collapse:collapse;background:#fff">
<tr><td style="padding:14px 24px;background:#16452c;color:#fff;font-size:18px;font-weight:600">${logo}${e(shopName)}</td></tr>
<tr><td style="padding:24px">
<h1 style="margin:0 0 12px;font-size:22px;line-height:1.3">${e(heading)}</h1>
${intro.map(paragraph).join('\n')}
${table(items, 'border-bottom:1px solid #ddd8c8;')}${table(sums, '')}${table(details, '')}
${link ? `<p style="margin:20px 0"><a href="${e(link.href)}" style="display:inline-block;padding:12px 20px;background:#16452c;color:#fff;text-decoration:none;border-radius:6px">${e(link.label)}</a></p>` : ''}
<div style="color:#5f5b50;font-size:14px">${footer.map(paragraph).join('\n')}</div>
</td></tr></table></body></html>`
}

function table(rows: readonly EmailRow[], border: string): string {
  if (rows.length === 0) return ''
  const e = escapeHtml
  const cells = rows.map(({ label, note, value, isStrong }) => {
    const weight = isStrong ? 'font-weight:700;' : ''
    const second = note ? `<br><span style="color:#5f5b50;font-size:14px">${e(note)}</span>` : ''
    return `<tr><td style="${CELL}${border}${weight}word-break:break-word">${e(label)}${second}</td><td style="${CELL}${border}${weight}padding-left:16px;text-align:right">${e(value)}</td></tr>`
  })
  return `<table role="presentation" style="width:100%;border-collapse:collapse;margin:0 0 12px">${cells.join('')}</table>`
}
