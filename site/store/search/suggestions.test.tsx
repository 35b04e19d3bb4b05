// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE, stubServer } from '../../admin/ui/testing.tsx'
import { Suggestions } from './suggestions.tsx'

cleanUpAfterEach()

const MANGO = { id: 1, name: 'Mango', status: 'in-stock', price: 120, unit: 'kg', picture: null, tag_number: null, weight_kg: null }

/** Does something after the render of what is beside it, and before its effects. */
function AfterRender({ run }: { run: () => void }) {
  useLayoutEffect(run)
  return null
}

it('counts a letter that is typed while the suggestions load', async () => {
  stubServer({ status: 200, body: { products: [MANGO] } })
  const input = document.createElement('input')
  document.body.append(input)
  onTestFinished(() => input.remove())
  input.value = 'm'
  const type = () => {
    input.value = 'ma'
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  render(
    <AppRoot shell={PAGE}>
      <Suggestions input={input} />
      <AfterRender run={type} />
    </AppRoot>,
  )
  expect(await screen.findByText('Mango')).toBeTruthy()
})

it('suggestions of a page that stays open are loaded again: prices and statuses may have changed', async () => {
  const sent = stubServer(
    { status: 200, body: { products: [MANGO] } },
    { status: 200, body: { products: [] } },
    { status: 200, body: { products: [{ ...MANGO, name: 'Mango now' }] } },
  )
  const input = document.createElement('input')
  document.body.append(input)
  onTestFinished(() => input.remove())
  const type = (text: string) =>
    act(() => {
      input.value = text
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    })
  render(
    <AppRoot shell={PAGE}>
      <Suggestions input={input} />
    </AppRoot>,
  )
  type('mango')
  await screen.findByText('Mango')
  type('mangox')
  await screen.findByText(/Nothing found/)
  type('mango')
  expect(screen.getByText('Mango')).toBeTruthy()
  type('mangox')
  const now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now + 3_600_000)
  onTestFinished(() => void vi.restoreAllMocks())
  type('mango')
  expect(await screen.findByText('Mango now')).toBeTruthy()
  expect(sent).toHaveLength(3)
})
