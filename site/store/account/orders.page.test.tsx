// @vitest-environment happy-dom
import '#messages/en-account.ts'
import { render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE } from '../../admin/ui/testing.tsx'
import { Page } from './orders.page.tsx'

cleanUpAfterEach()
afterEach(() => void vi.restoreAllMocks())

it.each([
  [true, 1],
  [false, 0],
])('the page that Back shows is loaded again (from the cache of the browser: %s)', (persisted, reloads) => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  render(
    <AppRoot shell={{ ...PAGE, path: '/account' }}>
      <Page orders={[]} page={1} lastPage={1} total={0} isPhoneVerified />
    </AppRoot>,
  )
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))
  expect(reload).toHaveBeenCalledTimes(reloads)
})
