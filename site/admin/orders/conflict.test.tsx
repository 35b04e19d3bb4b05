// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { Conflict } from './conflict.tsx'
import { BLANK_ORDER } from './order-values.ts'

cleanUpAfterEach()

const event = (kind: string, by: string | null) => ({ kind, by, actor: by ? 'staff' : 'system', at: '2026-06-01T04:00:00Z' })

it('a conflict names the person who changed the order, not those who wrote or tagged since, nor the reminder of the evening', () => {
  const since = [event('delivery-announced', null), event('sms-sent', 'Jamal'), event('tags', 'Salma'), event('comment', 'Hasan')]
  const theirs = { lines: [], events: [...since, event('edited', 'Rahim')] } as unknown as AdminOrder
  const none = { areas: [], keepMine: () => {}, takeTheirs: () => {} }
  renderInPage(<Conflict {...none} theirs={theirs} before={BLANK_ORDER} mine={BLANK_ORDER} />)
  expect(screen.getByRole('alert').textContent).toContain('Rahim')
})
