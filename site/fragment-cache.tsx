import { createContext, type ReactNode, useContext } from 'react'

/** A part of a page whose HTML follows from its key alone. */
export interface CachedFragment {
  key: () => string
  content: () => ReactNode
}

/** Gives what stands in the page's HTML for a part; only on the server. */
type HtmlOf = (part: CachedFragment) => string

const KeptHtmlContext = createContext<HtmlOf | null>(null)

/** Lets the parts of a page be taken from what is kept. */
export function FragmentCacheProvider({ htmlOf, children }: { htmlOf: HtmlOf; children: ReactNode }) {
  return <KeptHtmlContext value={htmlOf}>{children}</KeptHtmlContext>
}

/**
 * The children of an element, as properties of it. Rendering the same parts anew is what a page of a long list costs most: the server
 * takes their HTML from before where it has it; the browser renders them and finds what it expects.
 */
export function useCachedFragments(
  parts: CachedFragment[],
  isKept = true,
): { children: ReactNode } | { dangerouslySetInnerHTML: { __html: string } } {
  const htmlOf = useContext(KeptHtmlContext)
  if (htmlOf === null || !isKept) return { children: parts.map(({ content }) => content()) }
  return { dangerouslySetInnerHTML: { __html: parts.map(htmlOf).join('') } }
}
