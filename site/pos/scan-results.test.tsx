// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { expect, it } from 'vitest'
import type { SearchResultJson } from '#features/catalog/types.ts'
import { cleanUpAfterEach, renderInPage } from '../admin/ui/testing.tsx'
import { ScanResults } from './scan-results.tsx'

cleanUpAfterEach()

const FOUND = Array.from(
  { length: 20 },
  (_, at) =>
    ({
      id: at + 1,
      name: `Mango ${at + 1}`,
      price: 100,
      unit: 'kg',
      status: 'in-stock',
      images: [],
      maxOrderQty: 5,
    }) as unknown as SearchResultJson,
)
type Shown = [text: string, active: number, found: SearchResultJson[] | null]
const show = (detail: Shown) => act(() => void window.dispatchEvent(new CustomEvent('show', { detail })))
function List({ first }: { first: Shown }) {
  const [[text, active, found], set] = useState(first)
  useEffect(() => {
    const take = (event: Event) => set((event as CustomEvent<Shown>).detail)
    window.addEventListener('show', take)
    return () => window.removeEventListener('show', take)
  }, [])
  return <ScanResults {...{ found, text, active }} onChoose={() => {}} onKeyDown={() => {}} />
}
const rows = () => screen.queryAllByRole('option', { hidden: true }).length

it('shows the rows in sight with the key, and all after the frame; a later answer for the same text stays whole', async () => {
  renderInPage(<List first={['ma', -1, FOUND]} />)
  expect(rows()).toBe(8)
  await expect.poll(rows).toBe(20)
  show(['ma', -1, FOUND.slice(0, 15)])
  expect(rows()).toBe(15)
  show(['man', -1, FOUND])
  expect(rows()).toBe(8)
  await expect.poll(rows).toBe(20)
})

it('shows all at once when a key chooses a row further down, and few rows always', () => {
  renderInPage(<List first={['ma', 8, FOUND]} />)
  expect(rows()).toBe(20)
  show(['m', -1, FOUND.slice(0, 3)])
  expect(rows()).toBe(3)
  show(['', -1, null])
  expect(rows()).toBe(0)
})
