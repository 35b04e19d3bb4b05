// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Page as RatesPage } from '../rates/rates.page.tsx'
import { DayField, DayInput } from './day-input.tsx'
import { cleanUpAfterEach, renderInPage } from './testing.tsx'

cleanUpAfterEach()

// In November 2026 the Eid of May 2026 and that of May 2027 are about as far away.
beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-28T06:00:00Z'), toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

it('a field has the year of its day, a filter of a list only that of a far one', () => {
  renderInPage(
    <>
      <DayField label="Delivered to" value="2026-05-27" onChange={() => {}} />
      <DayField label="Ends" type="datetime-local" value="2027-05-16T21:30" onChange={() => {}} />
      <DayInput aria-label="Delivery" value="2026-11-22" onChange={() => {}} />
    </>,
  )
  for (const words of ['27 May 2026', '16 May 2027, 9:30 pm', '22 Nov']) expect(screen.getByText(words)).toBeTruthy()
})

it('the rates tell the season that is over from the next one', () => {
  vi.stubGlobal('isSecureContext', false)
  const days = { weighedFrom: '2026-04-12', weighedTo: '2026-04-19', deliveryFrom: '2026-05-23', deliveryTo: '2026-05-27' }
  renderInPage(<RatesPage tables={[]} kurbani={{ season: '2026', ...days }} />)
  expect(screen.getByText(/23 May 2026 – 27 May 2026/)).toBeTruthy()
})
