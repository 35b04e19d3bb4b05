// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import type { ListedProduct } from '#features/catalog/listed-products.server.ts'
import { adminPost } from './admin-post.ts'
import { AdminForm } from './form.tsx'
import { ProductListField } from './product-list-field.tsx'
import { cleanUpAfterEach, renderInPage } from './testing.tsx'
import { useAdminForm } from './use-form.ts'

cleanUpAfterEach()

const product = (id: number, name: string): ListedProduct => ({ id, name, tag_number: null, status: 'in-stock', visible: true })
const initial = { version: 1, products: [product(1, 'Mango'), product(2, 'Guava'), product(3, 'Litchi')] }

function List() {
  const form = useAdminForm<typeof initial, { slot: typeof initial }>({
    id: 'slot-1',
    initial,
    version: 1,
    schema: z.looseObject({}),
    save: (values) => adminPost('/admin/home-slots/1', values),
    onSaved: ({ slot }) => slot,
  })
  return (
    <AdminForm form={form}>
      <ProductListField name="products" label="Products" empty="None" isOrdered />
    </AdminForm>
  )
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
  expect(screen.getByText('Mango: 2 / 3').role).toBe('status')
  press('Move Mango down')
  expect(screen.getByText('Mango: 3 / 3').role).toBe('status')
  expect(document.activeElement).toBe(button('Move Mango down'))
  expect(button('Move Mango down').matches(':disabled')).toBe(false)
  press('Move Mango down')
  expect(screen.getByText('Mango: 3 / 3').role).toBe('status')
})
