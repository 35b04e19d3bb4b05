// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ListedProduct } from '#features/catalog/listed-products.server.ts'
import { ProductListField } from './product-list-field.tsx'
import { cleanUpAfterEach, renderInPage } from './testing.tsx'

cleanUpAfterEach()

const field = vi.hoisted(() => ({ value: [] as object[], change: (_products: object[]) => {} }))
vi.mock('./form.tsx', () => ({ useFormField: () => ({ value: field.value, change: field.change, error: undefined }) }))

const product = (id: number, name: string): ListedProduct => ({ id, name, tag_number: null, status: 'in-stock', visible: true })

function List() {
  const [products, setProducts] = useState<object[]>([product(1, 'Mango'), product(2, 'Guava'), product(3, 'Litchi')])
  Object.assign(field, { value: products, change: setProducts })
  return <ProductListField name="products" label="Products" empty="None" isOrdered />
}

beforeEach(() => void renderInPage(<List />))

const button = (name: string) => screen.getByRole('button', { name })
const press = (name: string) => {
  button(name).focus()
  // A click without a pointer, as Enter makes it.
  fireEvent.click(button(name), { detail: 0 })
}
const rowOf = (element: Element | null) => element?.closest('li')?.textContent ?? element?.id

it('a removed product leaves the focus in the next row, then in the one before, then in the search', () => {
  press('Remove Guava')
  expect(rowOf(document.activeElement)).toContain('Litchi')
  press('Remove Litchi')
  expect(rowOf(document.activeElement)).toContain('Mango')
  press('Remove Mango')
  expect(document.activeElement?.id).toBe('product-search')
})

it('a press of a pointer moves no focus', () => {
  fireEvent.click(button('Remove Guava'), { detail: 1 })
  expect(document.activeElement).toBe(document.body)
})

it('a product at the end keeps the focus, and its position is announced', () => {
  press('Move Mango down')
  expect(screen.getByRole('status').textContent).toBe('Mango: 2 / 3')
  press('Move Mango down')
  expect(screen.getByRole('status').textContent).toBe('Mango: 3 / 3')
  expect(document.activeElement).toBe(button('Move Mango down'))
  expect(button('Move Mango down').matches(':disabled')).toBe(false)
  press('Move Mango down')
  expect(screen.getByRole('status').textContent).toBe('Mango: 3 / 3')
})
