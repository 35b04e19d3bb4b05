// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { Conflict } from './conflict.tsx'
import { BLANK_ORDER, orderValues } from './order-values.ts'
import { ORDER } from './testing/order.ts'

cleanUpAfterEach()

const event = (kind: string, by: string | null) => ({ kind, by, actor: by ? 'staff' : 'system', at: '2026-06-01T04:00:00Z' })

it('a conflict names the person who changed the order, not those who wrote or tagged since, nor the reminder of the evening', () => {
  const since = [event('delivery-announced', null), event('sms-sent', 'Jamal'), event('tags', 'Salma'), event('comment', 'Hasan')]
  const theirs = { lines: [], events: [...since, event('edited', 'Rahim')] } as unknown as AdminOrder
  const none = { areas: [], keepMine: () => {}, takeTheirs: () => {} }
  renderInPage(<Conflict {...none} theirs={theirs} before={BLANK_ORDER} mine={BLANK_ORDER} />)
  expect(screen.getByRole('alert').textContent).toContain('Rahim')
})

it('a conflict lists what is stored otherwise, not what was typed otherwise', () => {
  const before = orderValues(ORDER)
  const mine = { ...before, shipping_cost: '৬০.০০', name: 'Karim ', note: 'বা\u09dcি', landmark: 'Bridge' }
  const theirs = { ...ORDER, note: 'বা\u09a1\u09bcি', remarks: 'Fragile', events: [] } as AdminOrder
  renderInPage(<Conflict areas={[]} keepMine={() => {}} takeTheirs={() => {}} theirs={theirs} before={before} mine={mine} />)
  expect([...document.querySelectorAll('dt')].map((term) => term.textContent)).toEqual(['Landmark', 'Internal remarks'])
})
