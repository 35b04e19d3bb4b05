import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Permission } from '#features/auth/permissions.ts'
import { AppRoot } from '#page/page-context.tsx'
import { PAGE } from './testing.tsx'
import { usePermissions } from './use-permissions.ts'

const ASKED: Permission[] = ['sms.send', 'campaigns.send', 'sms.read', 'orders.write']

function Allowed() {
  const { can } = usePermissions()
  return ASKED.filter(can).join(' ')
}
const allowed = (sendsSms: boolean) =>
  renderToStaticMarkup(
    <AppRoot shell={{ ...PAGE, sendsSms }}>
      <Allowed />
    </AppRoot>,
  )

it('a shop that sends no SMS shows its staff no control that sends one', () => {
  expect(allowed(true)).toBe(ASKED.join(' '))
  expect(allowed(false)).toBe('sms.read orders.write')
})
