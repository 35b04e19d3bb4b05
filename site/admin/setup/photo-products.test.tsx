// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { newProductBody } from '#features/catalog/products/forms.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { PhotoProducts } from './photo-products.tsx'

cleanUpAfterEach()

const choice = { seasons: ['2027'], season: '2027', scales: [], advance: 10_000, today: '2026-11-20', seasonStart: '2027-05-12' }
const KURBANI = { id: 2, key: 'kurbani', name: 'Kurbani Cow', isCattle: true } as const
const CHOICES = { ...choice, categories: [KURBANI, { id: 3, key: 'fruits' as const, name: 'Fruit', isCattle: false }] }

function stubUploads(): void {
  let images = 0
  class Upload extends EventTarget {
    readonly upload = new EventTarget()
    status = 200
    response: unknown = null
    open() {}
    setRequestHeader() {}
    send() {
      this.response = { image_id: (images += 1), picture: null }
      this.dispatchEvent(new Event('load'))
    }
  }
  vi.stubGlobal('XMLHttpRequest', Upload)
}

it('a photograph of an animal becomes a hidden one of its category, with a tag of its own until it has its ear tag', async () => {
  stubUploads()
  const sent = stubServer({ status: 201, body: { id: 5 } })
  renderInPage(<PhotoProducts choices={CHOICES} />)
  const category = screen.getByLabelText<HTMLSelectElement>('Category')
  expect(category.value).toBe('3')
  fireEvent.change(category, { target: { value: '2' } })
  const files = [new File(['picture'], 'cow.jpg')]
  await act(async () => fireEvent.change(screen.getByLabelText('Choose photos'), { target: { files } }))
  await screen.findByRole('link', { name: 'Hidden product added' })
  expect(sent[0]?.body).toMatchObject({
    kind: 'animal',
    category_id: 2,
    name_en: 'New animal 1',
    tag_number: 'NEW-1',
    sold_by_live_weight: true,
    weight_kg: '',
    weighed_on: '',
    season: '2027',
    delivery_on: '2027-05-12',
    visible: false,
  })
  expect(newProductBody.safeParse(sent[0]?.body).error).toBeUndefined()
})

it('a photograph whose product was not stored is tried again without choosing it once more', async () => {
  stubUploads()
  const stored = { status: 201, body: { id: 5 } }
  const sent = stubServer(null, stored, stored)
  renderInPage(<PhotoProducts choices={CHOICES} />)
  const files = ['one.jpg', 'two.jpg'].map((name) => new File(['picture'], name))
  await act(async () => fireEvent.change(screen.getByLabelText('Choose photos'), { target: { files } }))
  expect((await screen.findByRole('alert')).textContent).toContain('New product 1: ')
  await screen.findByRole('link', { name: 'Hidden product added' })
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })))
  await screen.findByRole('link', { name: '2 hidden products added' })
  expect(screen.queryByRole('alert')).toBeNull()
  expect(sent.map(({ body }) => (body as { picture_ids: number[] }).picture_ids)).toEqual([[1], [2], [1]])
})
