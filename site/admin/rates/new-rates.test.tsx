// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
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
