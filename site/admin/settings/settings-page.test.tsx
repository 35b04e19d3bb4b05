// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { Page } from './settings.page.tsx'

cleanUpAfterEach()

const { payment_numbers, advance_amount, expiry, holds, cash_on_delivery } = DEFAULT_SETTINGS

/** The payments as they are saved, with this number of bKash. */
const saved = (settingsHash: string, bkash: string) => ({
  values: { payment_numbers: { ...payment_numbers, bkash }, advance_amount, expiry, holds, cash_on_delivery },
  settingsHash,
})
const open = (now: ReturnType<typeof saved>) =>
  renderInPage(<Page part="payments" now={now} weighings={[]} kurbaniId={4} proposed={null} emailConfigured={false} />)
const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label)
const save = () => fireEvent.submit(field(/^bKash/).closest('form')!)

/** Answers the saves in this order; the page asks for news as well, and gets none. */
function answerSaves(...answers: [status: number, body: object][]): unknown[] {
  const sent: unknown[] = []
  vi.stubGlobal('isSecureContext', false)
  vi.stubGlobal('fetch', async (_url: string, { method, body }: RequestInit) => {
    if (method !== 'POST') throw new TypeError('connection lost')
    sent.push(JSON.parse(String(body)))
    const [status, answer] = answers.shift()!
    return Response.json(answer, { status })
  })
  return sent
}

it('a draft after a conflict leaves the number that another owner has saved', async () => {
  const [before, after] = [saved('a', '01711000001'), saved('b', '01811000002')]
  const sent = answerSaves(
    [409, { message: 'Another person saved this.' }],
    [200, { ...after, settingsHash: 'c' }],
    [200, { ...after, settingsHash: 'd' }],
  )
  const { unmount } = open(before)
  fireEvent.change(field(/^Nagad/), { target: { value: '01911000003' } })
  save()
  await screen.findByText('Another person saved this.')
  unmount()

  open(after)
  expect([field(/^bKash/).value, field(/^Nagad/).value]).toEqual(['01811000002', '01911000003'])
  expect(screen.getByText(/someone else has saved since/)).toBeTruthy()
  save()
  await waitFor(() => expect(field(/^Nagad/).value).toBe(''))
  expect(sent[1]).toMatchObject({ settingsHash: 'b', payment_numbers: { bkash: '01811000002', nagad: '01911000003' } })

  // The next save names the state after the last one.
  fireEvent.change(field(/^Nagad/), { target: { value: '01911000004' } })
  save()
  await waitFor(() => expect(sent[2]).toMatchObject({ settingsHash: 'c' }))
})

it('the season says that its first day moves no animal, and leads to the animals', () => {
  answerSaves()
  const { meat_yield, gain_large, gain_small, weigh_in_kg_per_day, kurbani } = DEFAULT_SETTINGS
  const now = { values: { meat_yield, gain_large, gain_small, weigh_in_kg_per_day, kurbani, final_weighing: [] }, settingsHash: 'a' }
  renderInPage(<Page part="animals" now={now} weighings={[]} kurbaniId={4} proposed={null} emailConfigured={false} />)
  expect(screen.getByText(/changing the first day moves none/).textContent).toContain('Delivery date')
  expect(screen.getByRole('link', { name: 'Kurbani animals' }).getAttribute('href')).toBe(
    '/admin/products?kind=animal&category=4&status=unsold',
  )
})
