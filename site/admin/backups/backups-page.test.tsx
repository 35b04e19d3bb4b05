// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import '#messages/bn-admin.ts'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE, renderInPage } from '../ui/testing.tsx'
import { Page, type Props } from './backups.page.tsx'

cleanUpAfterEach()

const ROW: Props['rows'][number] = {
  id: 1,
  state: 'done',
  started_by: 'schedule',
  actor: null,
  target: '/backups',
  file_name: 'khamar.khamar-backup',
  size_bytes: 22_000,
  error: null,
  startedAt: '2026-11-30T15:00:00Z',
  seconds: 2,
  isVerified: true,
  isDeleted: false,
  isInPlace: true,
  isMissing: false,
}

it('the small backup of a new shop does not look empty', () => {
  vi.stubGlobal('isSecureContext', false)
  renderInPage(<Page rows={[ROW, { ...ROW, id: 2, size_bytes: 3_500_000 }]} late={false} unchecked={false} isEmbedded hour={3} />)
  expect(screen.getAllByText(/ MB/).map((cell) => cell.firstChild?.textContent)).toEqual(['0.1 MB', '3.3 MB'])
})

it('a failed backup names its cause in the language of the reader, with the recorded error below', () => {
  vi.stubGlobal('isSecureContext', false)
  const failed = { ...ROW, state: 'failed' as const, size_bytes: null }
  const rows = [
    { ...failed, error: 'The disk is full.' },
    { ...failed, id: 2, error: 'no such cause' },
  ]
  render(
    <AppRoot shell={{ ...PAGE, lang: 'bn' }}>
      <Page rows={rows} late={false} unchecked={false} isEmbedded hour={3} />
    </AppRoot>,
  )
  const texts = screen.getAllByText('ব্যর্থ').map((chip) => [...chip.parentElement!.children].slice(1).map((one) => one.textContent))
  expect(texts).toEqual([['ডিস্ক ভরে গেছে। সার্ভারে জায়গা খালি করে আবার ব্যাকআপ নিন।', 'The disk is full.'], ['no such cause']])
})
