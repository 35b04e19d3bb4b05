// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE, stubServer } from '../ui/testing.tsx'
import { CustomerSearch } from './customer-search.tsx'

cleanUpAfterEach()

it.each([
  [{ status: 200, body: { customers: [] } }, 'Nothing found'],
  [{ status: 500, body: {} }, 'Search failed'],
  [null, 'Search failed'],
])('an answer of %j is told apart from no customer', async (answer, text) => {
  stubServer(answer)
  render(
    <AppRoot shell={PAGE}>
      <CustomerSearch onChoose={() => {}} />
    </AppRoot>,
  )
  const field = screen.getByRole('combobox')
  fireEvent.focus(field)
  fireEvent.change(field, { target: { value: 'Rahim' } })
  expect(await screen.findByText(new RegExp(text))).toBeTruthy()
})
