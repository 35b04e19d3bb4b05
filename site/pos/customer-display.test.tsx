// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { cleanUpAfterEach, renderInPage } from '../admin/ui/testing.tsx'
import { Page } from './customer-display.page.tsx'

cleanUpAfterEach()

it('switches the language of its own window: it sends no form, which would change that of the POS', () => {
  renderInPage(<Page />)
  expect(document.querySelector('form')).toBeNull()
  expect(screen.getByText('বাংলায়').getAttribute('href')).toBe('?lang=bn')
})
