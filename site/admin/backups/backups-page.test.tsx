// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
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
