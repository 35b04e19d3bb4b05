// @vitest-environment happy-dom
import { act, cleanup, fireEvent, renderHook, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import type { TakeRow, TakeSummary } from '#features/stock-takes/queries.server.ts'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE, renderInPage, stubServer } from '../ui/testing.tsx'
import { TakeRowCard } from './take-row.tsx'
import { useStockTake } from './use-stock-take.ts'

cleanUpAfterEach()

const ROW = { id: 7, name_en: 'Mango', name_bn: 'আম', tag_number: null, barcode: null, unit: 'kg', is_unique: false, price_poisha: 12_000 }
const SUMMARY = { counted: 0, open: 1, different: 0, applied: 0, missing_poisha: 0, surplus_poisha: 0, revision: '' } as TakeSummary
const LOGGED_OUT = { status: 401, body: { message: 'You have been logged out.' } }

const rowWith = (line: Partial<TakeRow['line']> | null) => ({ ...ROW, stock_milli: 5000, ordered_milli: 0, line }) as TakeRow
const counted = (milli: number, version: number) => rowWith({ expected_milli: 5000, counted_milli: milli, reason: 'counted', version })
const recent = (row: TakeRow) => ({ status: 200, body: { state: 'open', rows: [row], summary: SUMMARY } })

function open(row: TakeRow, userId = 1) {
  const shell = { ...PAGE, user: { ...PAGE.user!, id: userId } }
  const wrapper = ({ children }: { children: ReactNode }) => <AppRoot shell={shell}>{children}</AppRoot>
  const sheet = { id: 3, rows: [row], summary: SUMMARY, isOpen: true, isNewest: false }
  return renderHook(() => useStockTake(sheet), { wrapper }).result
}

/** Counts 4 kg while the session has expired; the page is left. */
async function countLoggedOut(row: TakeRow) {
  const sent = stubServer(LOGGED_OUT, LOGGED_OUT)
  const take = open(row)
  act(() => take.current.count(row, '4'))
  await waitFor(() => expect(take.current.waiting).toEqual({ count: 1, problem: 'signed-out' }))
  expect(take.current.errors).toEqual({})
  cleanup()
  return sent.filter(({ method }) => method === 'POST').map(({ body }) => body)
}

it('a count that met an expired session is saved after the login in another tab', async () => {
  vi.stubGlobal('isSecureContext', false)
  const sent = stubServer(LOGGED_OUT, { status: 200, body: { row: counted(4000, 1) } }, recent(counted(4000, 1)))
  const take = open(rowWith(null))
  act(() => take.current.count(rowWith(null), '4'))
  await waitFor(() => expect(take.current.waiting).toEqual({ count: 0, problem: null }))
  expect(take.current.rows[0]?.line?.counted_milli).toBe(4000)
  expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(2)
  expect(sessionStorage).toHaveLength(0)
})

it('a count that waits is saved when its user opens the sheet again, and by no other user', async () => {
  const before = await countLoggedOut(rowWith(null))
  const others = stubServer()
  open(rowWith(null), 2)
  await act(async () => {})
  expect(others).toEqual([])
  cleanup()
  const sent = stubServer({ status: 200, body: { row: counted(4000, 1) } }, recent(counted(4000, 1)))
  const take = open(rowWith(null))
  await waitFor(() => expect(take.current.rows[0]?.line?.counted_milli).toBe(4000))
  expect(sent[0]?.body).toEqual(before[0])
  expect(sessionStorage).toHaveLength(0)
})

it('a count of another person meanwhile is a conflict, also on a page that shows it', async () => {
  await countLoggedOut(rowWith(null))
  const sent = stubServer({ status: 409, body: { row: counted(6000, 1) } }, recent(counted(6000, 1)))
  const take = open(counted(6000, 1))
  await waitFor(() => expect(take.current.conflicts[7]).toMatchObject({ quantity: '4' }))
  expect(sent[0]?.body).toMatchObject({ version: null })
})

it('a count that waits stands in its field, and the pressed button of an animal stays pressed', async () => {
  vi.stubGlobal('isSecureContext', false)
  stubServer(LOGGED_OUT, LOGGED_OUT)
  const cow = { ...rowWith(null), id: 8, name_en: 'Bull', is_unique: true, stock_milli: 1000 }
  function Sheet() {
    const model = useStockTake({ id: 3, rows: [rowWith(null), cow], summary: SUMMARY, isOpen: true, isNewest: false })
    return model.rows.map((row) => <TakeRowCard key={row.id} row={row} model={model} isEditable />)
  }
  renderInPage(<Sheet />)
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: /Mango/ })
  fireEvent.change(field, { target: { value: '4' } })
  await act(async () => fireEvent.blur(field))
  expect(field.value).toBe('4')
  const present = screen.getByRole('button', { name: 'Present' })
  await act(async () => fireEvent.click(present))
  expect(present.getAttribute('aria-pressed')).toBe('true')
})

it('an answer that a later one has overtaken changes nothing', async () => {
  vi.stubGlobal('isSecureContext', false)
  const release: ((answer: Response) => void)[] = []
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => release.push(resolve)))
  const take = open(rowWith(null))
  const both = [take.current.refresh(), take.current.refresh()]
  const answer = (revision: string) => Response.json({ state: 'open', rows: [], summary: { ...SUMMARY, revision } })
  await act(async () => {
    release[1]!(answer('new'))
    await both[1]
    release[0]!(answer('old'))
    await both[0]
  })
  expect(take.current.summary.revision).toBe('new')
})
