// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Campaign } from '#features/campaigns/types.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Page } from './campaign.page.tsx'

cleanUpAfterEach()

it('the note about the SMS provider leads to the reason', () => {
  stubServer()
  vi.stubGlobal('isSecureContext', false)
  const now = '2026-11-20T06:00:00Z'
  const texts = { text_bn: 'আম এসেছে', text_en: '' }
  const counts = { total: 9, sent: 2, waiting: 7, not_reached: 0, parts_used: 2, parts_limit: 9 }
  const campaign = { id: 3, name: 'Eid', state: 'running', by: 'Rahim', created_at: now, starts_at: now, ...texts, ...counts }
  renderInPage(<Page progress={{ campaign: campaign as Campaign, waits: 'provider' }} notReached={[]} prev={null} next={null} />)
  const [note] = screen.getAllByRole('status').filter(({ textContent }) => textContent.includes('provider'))
  expect(note!.querySelector('a')?.getAttribute('href')).toBe('/admin/sms')
})
