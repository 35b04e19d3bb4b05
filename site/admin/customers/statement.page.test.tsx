// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ZERO } from '#lib/format/money.ts'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { Page, type Props } from './statement.page.tsx'

cleanUpAfterEach()

it('the statement scrolls sideways by the keyboard', () => {
  const account = { id: 7, name: 'Rahima Khatun', phone: '01712345678', owed: ZERO, limit: ZERO, refundDue: ZERO, storeCredit: ZERO }
  const statement = { from: '2026-11-01', to: '2026-11-30', opening: ZERO, rows: [], closing: ZERO }
  vi.stubGlobal('isSecureContext', false)
  renderInPage(<Page {...({ account, statement, methods: [], roundsCash: true } as unknown as Props)} />)
  const area = screen.getByRole('table').parentElement!
  expect([area.tabIndex, area.getAttribute('role'), area.getAttribute('aria-label')]).toEqual([0, 'region', 'Statement: Rahima Khatun'])
})
