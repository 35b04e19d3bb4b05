// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { SmsJson } from '#features/messaging/types.ts'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { Page, type Props } from './sms.page.tsx'

cleanUpAfterEach()

const failed = (id: number) =>
  ({
    id,
    phone: `0171100000${id}`,
    text: `Text ${id}`,
    purpose: 'order',
    state: 'failed',
    failure: '1002',
    attempts: 1,
    order_id: id,
    created_at: '2026-11-20T06:00:00Z',
    sent_by: null,
  }) as unknown as SmsJson

const propsOf = (rows: SmsJson[]) =>
  ({
    page: { rows, prev: null, next: null },
    counts: { waiting: 0, failed: 2, unknown: 0 },
    provider: { problem: null, problem_since: null, balance: null, balance_at: null },
    budget: { sent: 0, limit: 100 },
    query: {},
    savedFilters: [],
  }) as unknown as Props

it('two messages that are sent again at once both count as queued', async () => {
  vi.stubGlobal('isSecureContext', false)
  const answers: (() => void)[] = []
  vi.stubGlobal('fetch', (url: string) =>
    url.endsWith('/resend')
      ? new Promise<Response>((resolve) => answers.push(() => resolve(Response.json({}))))
      : Promise.reject(new TypeError('connection lost')),
  )
  renderInPage(<Page {...propsOf([failed(1), failed(2)])} />)
  const buttons = () => screen.queryAllByRole('button', { name: 'Resend' })
  for (const button of buttons()) {
    fireEvent.click(button)
    const dialog = await screen.findByRole('dialog')
    await act(async () => fireEvent.click(within(dialog).getByRole('button', { name: 'Resend' })))
  }
  expect(answers).toHaveLength(2)
  for (const answer of answers) await act(async () => answer())
  expect(buttons()).toEqual([])
})

it('a message that was left out as a repeat can be sent, one that is no longer true cannot', () => {
  vi.stubGlobal('isSecureContext', false)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('connection lost')))
  const skipped = (id: number, failure: string) => ({ ...failed(id), state: 'skipped', failure }) as SmsJson
  renderInPage(<Page {...propsOf([skipped(1, 'overtaken'), skipped(2, 'repeat')])} />)
  const row = (text: string) => within(screen.getByText(text).closest('tr')!)
  expect(row('Text 1').queryByRole('button', { name: 'Send' })).toBeNull()
  expect(row('Text 2').queryByRole('button', { name: 'Send' })).not.toBeNull()
})
