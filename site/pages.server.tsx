import { type ComponentType } from 'react'
import { renderToString } from 'react-dom/server'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import '#messages/bn-account.ts'
import '#messages/en-account.ts'
import { LruBufferCache } from '#lib/async/lru-buffer-cache.server.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { FragmentCacheProvider, type CachedFragment } from './fragment-cache.tsx'

const modules = import.meta.glob<{ Page: ComponentType<never> }>('./**/*.page.tsx', { eager: true })

const pages = new Map(Object.entries(modules).map(([file, module]) => [file.slice(2, -'.page.tsx'.length), module.Page]))

/** About 2,000 rows of a list. */
const parts = new LruBufferCache(4 * 1024 * 1024)
/** Stands in a rendered page for a part that is kept; no text of a page can be this, for its `<` is escaped. */
const MARK = '<!--kept-->'

/**
 * The HTML of a page (`store/home/home`) with these props, in pieces; the browser hydrates exactly this. Parts that are kept are put in as the
 * bytes they are sent as: neither rendered nor joined nor encoded once more.
 */
export function renderPage(page: string, shell: PageContextValue, props: object): (string | Buffer)[] {
  const Page = pages.get(page) as ComponentType<object> | undefined
  if (!Page) throw new Error(`No page ${page}`)
  const used: Buffer[] = []
  const mark = ({ key, content }: CachedFragment) => {
    used.push(parts.of(`${shell.lang} ${key()}`, () => renderToString(<AppRoot shell={shell}>{content()}</AppRoot>)))
    return MARK
  }
  const html = renderToString(
    <AppRoot shell={shell}>
      <FragmentCacheProvider htmlOf={mark}>
        <Page {...props} />
      </FragmentCacheProvider>
    </AppRoot>,
  )
  // Without anything that waits, React renders in the order of the document.
  return html.split(MARK).flatMap((text, at) => [text, ...used.slice(at, at + 1)])
}
