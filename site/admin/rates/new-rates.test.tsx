// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Page } from './rate.page.tsx'

cleanUpAfterEach()

it('new rates have the current season of their category until another one is typed', async () => {
  vi.stubGlobal('isSecureContext', false)
  const categories = [
    { id: 1, name: 'Beef', season: '' },
    { id: 2, name: 'Kurbani Cow', season: '2027' },
  ]
  renderInPage(<Page categories={categories} table={null} ratesHash="rates" />)
  const [category, season] = [screen.getByLabelText('Category'), screen.getByLabelText<HTMLInputElement>(/Season/)]
  const choose = (value: string) => act(async () => fireEvent.change(category, { target: { value } }))
  expect(season.value).toBe('')
  await choose('2')
  expect(season.value).toBe('2027')
  await choose('1')
  expect(season.value).toBe('')
  await act(async () => fireEvent.change(season, { target: { value: 'spring' } }))
  await choose('2')
  expect(season.value).toBe('spring')
})

it.each([
  ['Kurbani', 'kurbani'],
  [' Kurbani ', 'kurbani'],
  ['Kurbani 2027', 'Kurbani 2027'],
])('the season typed as %j is stored as %j while kurbani is the current one', async (typed, season) => {
  vi.stubGlobal('isSecureContext', false)
  const sent = stubServer({
    status: 200,
    body: { changes: [], total: 0, without_tier: 0, below_discount: [], booked: 0, planHash: 'plan' },
  })
  renderInPage(<Page categories={[{ id: 2, name: 'Kurbani Cow', season: 'kurbani' }]} table={null} ratesHash="rates" />)
  const type = (label: RegExp, value: string) => act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }))
  await type(/Season/, typed)
  await type(/From kg/, '200')
  await type(/per kg/, '550')
  await act(async () => fireEvent.submit(screen.getByLabelText(/Season/).closest('form')!))
  expect(sent).toMatchObject([{ body: { category_id: 2, season } }])
})
