// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import '#messages/en.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import type { CartItem } from '../rules.ts'
import { QuantityStepper } from './quantity-stepper.tsx'

afterEach(cleanup)

const PAGE = { lang: 'en', path: '/cart' } as PageContextValue
const MANGO = { productName: 'Mango', size: null, Unit: 'kg', quantity: 2 } as CartItem

function Line() {
  const [quantity, setQuantity] = useState(MANGO.quantity)
  return <QuantityStepper item={{ ...MANGO, quantity }} stockMilli={2000} onChange={setQuantity} />
}

it('a button at its end has the focus still, and does nothing', () => {
  render(
    <AppRoot shell={PAGE}>
      <Line />
    </AppRoot>,
  )
  const [minus, plus] = screen.getAllByRole<HTMLButtonElement>('button')
  minus!.focus()
  fireEvent.click(minus!)
  expect(screen.getByRole('status').textContent).toBe('1 kg')
  for (const button of [minus!, minus!]) fireEvent.click(button)
  expect([screen.getByRole('status').textContent, minus!.disabled, minus!.getAttribute('aria-disabled')]).toEqual(['1 kg', false, 'true'])
  for (const button of [plus!, plus!, plus!]) fireEvent.click(button)
  expect([screen.getByRole('status').textContent, plus!.getAttribute('aria-disabled')]).toEqual(['2 kg', 'true'])
})
