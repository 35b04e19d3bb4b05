// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { ProductPicker } from './product-picker.tsx'

cleanUpAfterEach()

const product = (id: number, name: string) => ({ id, name, tag_number: null, status: 'in-stock', price: 100 })

it('a product that could not be read leaves the one that was chosen meanwhile', async () => {
  const details = new Map<string, (response: Response) => void>()
  vi.stubGlobal('fetch', (url: string) =>
    url.startsWith('/api/product/search')
      ? Promise.resolve(Response.json([product(1, 'Mango'), product(2, 'Malta')]))
      : new Promise<Response>((resolve) => details.set(url, resolve)),
  )
  const chosen: string[] = []
  function Line() {
    const [text, setText] = useState('')
    const choose = (_product: object, name: string) => void chosen.push(name)
    return <ProductPicker id="product" value={text} error={undefined} onType={setText} onChoose={choose} />
  }
  renderInPage(<Line />)
  const field = screen.getByRole<HTMLInputElement>('combobox')
  const type = (value: string) => fireEvent.change(field, { target: { value } })
  const answer = (id: number, status: number) =>
    act(async () => details.get(`/api/products/${id}`)!(Response.json(product(id, ''), { status })))
  type('ma')
  await screen.findByText('Malta (#2)')
  type('Mango (#1)')
  type('Malta (#2)')
  await answer(2, 200)
  await answer(1, 500)
  expect([chosen, field.value]).toEqual([['Malta (#2)'], 'Malta (#2)'])
})
