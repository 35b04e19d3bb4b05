import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import '#messages/en-admin.ts'
import type { Drawer } from '#features/pos/drawer-rules.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { DrawerReport } from './drawer-report.tsx'

it('a drawer with many shifts scrolls by the keyboard', () => {
  const drawer = { key: '3', register: null, shifts: [], day: {} } as unknown as Drawer
  const html = renderToStaticMarkup(
    <AppRoot shell={{ lang: 'en', path: '/pos/day' } as PageContextValue}>
      <DrawerReport drawer={drawer} />
    </AppRoot>,
  )
  expect(html).toMatch(/^<section tabindex="0" aria-labelledby="drawer-3"/)
})
