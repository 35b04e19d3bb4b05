import { usePageContext, type PageContextValue } from '#page/page-context.tsx'
import { escapeHtml } from '#lib/format/escape.ts'

const HALF_HEAD =
  'M49 41C43 40 38 41 35 44C22 45 13 34 16 17C8 30 10 43 21 50C14 51 8 55 4 61C12 67 25 66 33 59C34 68 38 74 39 80C40 88 45 90 50 90H50.4V41Z'
const TAG =
  'M36 14L44 5Q50 -1 56 5L64 14H80Q92 14 92 26V84Q92 96 80 96H20Q8 96 8 84V26Q8 14 20 14ZM50 9A5.4 5.4 0 1 0 50 19.8A5.4 5.4 0 1 0 50 9Z'

/** The logo of a shop without its own: a yellow ear tag with a bull's head, as in public/logo.svg. */
const earTag = (size: number) =>
  `<svg width="${size}" height="${size}" style="flex:none" viewBox="0 0 100 100" aria-hidden="true" focusable="false"><g transform="rotate(-6 50 50)">` +
  `<path d="${TAG}" fill="#F6C51B" fill-rule="evenodd"/><g transform="translate(9 17.5) scale(.82)" fill="#16452C">` +
  `<path d="${HALF_HEAD}"/><path d="${HALF_HEAD}" transform="matrix(-1 0 0 1 100 0)"/></g></g></svg>`

/** Styles, because a page's style sheet holds only classes that its scripts name. White, for logos without background on dark green. */
const FRAME = 'padding:2px;border-radius:6px;background:#fff;object-fit:contain'

/** Characters that have room in one line beside the buttons of a phone's header. */
const SHORT_NAME = 10
/** A longer name has two lines, also where it would leave no room for the search. */
const LONG_NAME = 'max-width:13rem;font-size:clamp(.875rem,2vw,1rem);line-height:1.25;text-wrap:balance'

/** The place of a logo has its size before the file is loaded. A wide logo names the shop itself. */
function brandHtml({ logo, name }: PageContextValue['shop'], size: number, nameClass: string | undefined): string {
  const nameStyle = name.length > SHORT_NAME ? ` style="${LONG_NAME}"` : ''
  const mark = logo
    ? `<img src="${escapeHtml(logo.src)}" alt="${logo.isWide ? escapeHtml(name) : ''}" width="${Math.round(size * logo.ratio)}" height="${size}" style="height:${size}px;${logo.isWide ? '' : 'flex:none;'}${FRAME}">`
    : earTag(size)
  return mark + (nameClass === undefined || logo?.isWide ? '' : `<span class="${nameClass}"${nameStyle}>${escapeHtml(name)}</span>`)
}

interface ShopBrandProps {
  size?: number
  /** Classes of the shop's name; undefined: without the name. */
  nameClass?: string
}

/** The shop's logo and name. The server alone renders them: hydration leaves the HTML as it is, so that no script holds the drawing. */
export function ShopBrand({ size = 36, nameClass }: ShopBrandProps) {
  const { shop } = usePageContext()
  const html = import.meta.env.SSR ? brandHtml(shop, size, nameClass) : ''
  return <span className="contents" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />
}
