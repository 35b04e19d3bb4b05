import { type FormEventHandler, type MouseEventHandler, type ReactNode, useState } from 'react'

interface ServerOnlyProps {
  id: string
  children: ReactNode
  onSubmit?: FormEventHandler
  onClick?: MouseEventHandler
  /** A part that appears later shows the HTML of the element with this id. */
  source?: string
}

/**
 * A part that only the server renders. The browser leaves its HTML as it is, so neither its code nor its texts are loaded. Write the
 * children as `{import.meta.env.SSR ? <Part /> : null}`, and name their file `*.static.tsx`. Events bubble to the handlers given here.
 */
export function ServerOnly({ id, children, source = id, ...handlers }: ServerOnlyProps) {
  // Read once: if React renders the page again, the HTML stays.
  const [html] = useState(() => (import.meta.env.SSR ? null : { __html: document.getElementById(source)?.innerHTML ?? '' }))
  if (html === null) return <div id={id}>{children}</div>
  return <div id={id} suppressHydrationWarning {...handlers} dangerouslySetInnerHTML={html} />
}
