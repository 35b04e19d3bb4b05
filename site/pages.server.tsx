import { type ComponentType } from 'react'
import { renderToString } from 'react-dom/server'
import '#messages/bn-office.ts'
import '#messages/en-office.ts'
import '#messages/bn-account.ts'
import '#messages/en-account.ts'
import { AppRoot, type Shell } from './app-root.tsx'

const modules = import.meta.glob<{ Page: ComponentType<never> }>('./**/*.page.tsx', { eager: true })

const pages = new Map(Object.entries(modules).map(([file, module]) => [file.slice(2, -'.page.tsx'.length), module.Page]))

/** The HTML of a page (`store/home`) with these props; the browser hydrates exactly this. */
export function renderPage(page: string, shell: Shell, props: object): string {
  const Page = pages.get(page) as ComponentType<object> | undefined
  if (!Page) throw new Error(`No page ${page}`)
  return renderToString(
    <AppRoot shell={shell}>
      <Page {...props} />
    </AppRoot>,
  )
}
