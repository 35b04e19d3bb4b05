// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Page } from './product-create.page.tsx'

cleanUpAfterEach()

const categories = [
  { id: 3, key: 'beef' as const, name: 'Beef cattle', isCattle: true },
  { id: 4, key: 'kurbani' as const, name: 'Kurbani cows', isCattle: true },
]

it('the delivery date of a new animal follows its category until it is typed', () => {
  vi.stubGlobal('isSecureContext', false)
  const rest = { seasons: [], season: '', scales: [], advance: 0, today: '2026-11-20', seasonStart: '2027-05-12' }
  renderInPage(<Page categories={categories} {...rest} />)
  fireEvent.click(screen.getByLabelText('Animal'))
  const day = () => screen.getByLabelText<HTMLInputElement>(/Delivery date/).value
  const choose = (id: number) => fireEvent.change(screen.getByLabelText('Category'), { target: { value: String(id) } })
  expect(day()).toBe('2027-05-12')
  choose(3)
  expect(day()).toBe('')
  choose(4)
  expect(day()).toBe('2027-05-12')
  fireEvent.change(screen.getByLabelText(/Delivery date/), { target: { value: '2027-04-02' } })
  choose(3)
  expect(day()).toBe('2027-04-02')
})

it('the season of a new animal follows its category until it is chosen', () => {
  vi.stubGlobal('isSecureContext', false)
  const rest = { seasons: ['2026', '2027'], season: '2027', scales: [], advance: 0, today: '2026-11-20', seasonStart: null }
  renderInPage(<Page categories={categories} {...rest} />)
  fireEvent.click(screen.getByLabelText('Animal'))
  const season = () => screen.getByLabelText<HTMLSelectElement>('Rate season')
  const choose = (id: number) => fireEvent.change(screen.getByLabelText('Category'), { target: { value: String(id) } })
  expect(season().value).toBe('2027')
  choose(3)
  expect(season().value).toBe('')
  choose(4)
  expect(season().value).toBe('2027')
  fireEvent.change(season(), { target: { value: '2026' } })
  choose(3)
  expect(season().value).toBe('2026')
})

it('a season without rates leads to the rates', async () => {
  vi.stubGlobal('isSecureContext', false)
  stubServer({ status: 422, body: { message: 'No', errors: { season: ['There are no rates.'] } } })
  const rest = { seasons: ['2027'], season: '2027', scales: [], advance: 0, today: '2026-11-20', seasonStart: null }
  renderInPage(<Page categories={categories} {...rest} />)
  fireEvent.click(screen.getByLabelText('Animal'))
  const fill = { 'Name in English': 'Cow', 'Name in Bengali': 'গরু', 'Tag number': 'K-900', 'Weight in kg': '250' }
  for (const [label, value] of Object.entries(fill)) fireEvent.change(screen.getByLabelText(label), { target: { value } })
  const rates = () => screen.queryAllByRole('link', { name: 'Rates and seasons' }).filter((link) => link.closest('form'))
  expect(rates()).toEqual([])
  await act(async () => fireEvent.submit(screen.getByLabelText('Name in English').closest('form')!))
  await screen.findByText('There are no rates.')
  expect(rates().map((link) => link.getAttribute('href'))).toEqual(['/admin/rates'])
})
