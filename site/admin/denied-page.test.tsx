// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { it, vi } from 'vitest'
import { Page } from './denied.page.tsx'
import { cleanUpAfterEach, renderInPage } from './ui/testing.tsx'

cleanUpAfterEach()

it('names the missing permission in the words of the roles table', () => {
  vi.stubGlobal('isSecureContext', false)
  renderInPage(<Page permissions={['catalog.write', 'reports.read']} />)
  screen.getByText('Missing permission: Manage products, categories, areas, coupons, rates / View reports')
})
