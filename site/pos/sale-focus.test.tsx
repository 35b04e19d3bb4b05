// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import type { PosLine } from '#features/pos/rules.ts'
import { poisha } from '#lib/format/money.ts'
import { cleanUpAfterEach, renderInPage } from '../admin/ui/testing.tsx'
import { CouponField } from './coupon-field.tsx'
import { focusField } from './focus-field.ts'
import { HandoverPlace } from './handover-fields.tsx'
import { LinePrice } from './line-price.tsx'
import { problemField } from './sale-problem.ts'
import { newSale, type Sale, type SaleState } from './sale.ts'

cleanUpAfterEach()

// A field that a key closes leaves the focus where it was opened, not on the body.

it.each(['Enter', 'Escape'])('%s in a changed price returns to the price', (key) => {
  const line = { id: 7, name: 'Guava', unit: 'kg', price: poisha(7_000) } as unknown as PosLine
  renderInPage(<LinePrice line={line} onChange={() => {}} />)
  fireEvent.click(screen.getByRole('button', { name: /Guava/ }))
  const field = screen.getByRole('textbox', { name: 'Price of Guava' })
  expect(document.activeElement).toBe(field)
  fireEvent.keyDown(field, { key })
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /Guava/ }))
})

it('a price that is left for another field takes no focus', () => {
  const line = { id: 7, name: 'Guava', unit: 'kg', price: poisha(7_000) } as unknown as PosLine
  renderInPage(
    <>
      <LinePrice line={line} onChange={() => {}} />
      <input aria-label="Phone" />
    </>,
  )
  fireEvent.click(screen.getByRole('button', { name: /Guava/ }))
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Price of Guava' }), { key: 'Enter' })
  fireEvent.click(screen.getByRole('button', { name: /Guava/ }))
  screen.getByLabelText('Phone').focus()
  expect(document.activeElement).toBe(screen.getByLabelText('Phone'))
})

function Coupon() {
  const [coupon, setCoupon] = useState<Sale['coupon']>(null)
  const sale = { key: 'k', lines: [], coupon, phone: '', discount: '', exchange: null } as unknown as Sale
  const state = { coupon: null } as unknown as SaleState
  return <CouponField sale={sale} state={state} error={undefined} onChange={(changes) => setCoupon(changes.coupon ?? null)} />
}

it('a removed coupon leaves the focus on the button that opens the field', () => {
  renderInPage(<Coupon />)
  expect(document.activeElement).toBe(document.body)
  fireEvent.click(screen.getByRole('button', { name: 'Coupon' }))
  const remove = screen.getByRole('button', { name: 'Remove coupon' })
  remove.focus()
  fireEvent.click(remove)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Coupon' }))
})

it.each([
  [{}, 'Area'],
  [{ address: 'Road 3' }, 'Area'],
  [{ areaId: '1' }, 'Address'],
])('a delivery %j without its place leads to the field "%s"', (typed, label) => {
  const sale = { ...newSale(), deliver: true, ...typed }
  const areas = [{ id: 1, area_name: 'Dhaka' }] as never
  renderInPage(<HandoverPlace sale={sale} areas={areas} days="2026-11-21" rejection={null} onChange={() => {}} />)
  focusField(problemField('place', sale))
  expect(document.activeElement).toBe(screen.getByLabelText(label))
})
