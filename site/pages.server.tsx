import { type ComponentType } from 'react'
import { renderToString } from 'react-dom/server'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import '#messages/bn-account.ts'
import '#messages/en-account.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'

const modules = import.meta.glob<{ Page: ComponentType<never> }>('./**/*.page.tsx', { eager: true })

const pages = new Map(Object.entries(modules).map(([file, module]) => [file.slice(2, -'.page.tsx'.length), module.Page]))

/** Renders a page (`store/home/home`) with these props to HTML. The browser hydrates exactly this. Throws for an unknown page. */
export function renderPage(page: string, shell: PageContextValue, props: object): string {
  const Page = pages.get(page) as ComponentType<object> | undefined
  if (!Page) throw new Error(`No page ${page}`)
  return renderToString(
    <AppRoot shell={shell}>
      <Page {...props} />
    </AppRoot>,
  )
}
