// @vitest-environment happy-dom
import { act, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { describe, expect, it } from 'vitest'
import type { AreaJson } from '#features/catalog/types.ts'
import { pendingToasts } from '#components/toast.tsx'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { AppRoot } from '#page/page-context.tsx'
import { readDraft } from '../ui/draft.ts'
import { PAGE, stubServer, cleanUpAfterEach } from '../ui/testing.tsx'
import { ORDER } from './testing/order.ts'
import { useOrderEdit } from './use-order-edit.ts'

cleanUpAfterEach()

const order = (changes: Partial<AdminOrder>) => ({ ...ORDER, ...changes })
const answer = (status: number, saved: AdminOrder) => ({ status, body: { message: 'Somebody else saved.', order: saved } })

function open(saved = ORDER, areas: AreaJson[] = []) {
  const wrapper = ({ children }: { children: ReactNode }) => <AppRoot shell={PAGE}>{children}</AppRoot>
  const useEdit = () => {
    const [order, setOrder] = useState(saved)
    return useOrderEdit(order, setOrder, { areas })
  }
  return renderHook(useEdit, { wrapper }).result
}

describe('saving an order', () => {
  it('sends what was changed, with the address and the version', async () => {
    const sent = stubServer(answer(200, order({ version: 2, note: 'Ring twice' })))
    const edit = open()
    act(() => edit.current.form.set('note', 'Ring twice'))
    await act(() => edit.current.form.submit())
    expect(sent).toEqual([{ url: '/admin/orders/update/15', method: 'POST', body: { note: 'Ring twice', address: 'House 1', version: 1 } }])
    expect(edit.current.form).toMatchObject({ isDirty: false, problem: null, values: { note: 'Ring twice' } })
  })

  it('shows the errors of the schema without asking the server', async () => {
    const sent = stubServer()
    const edit = open()
    act(() => edit.current.form.set('phone', '12'))
    await act(() => edit.current.form.submit())
    expect(edit.current.form.errorOf('phone')).toMatch(/phone|number/i)
    expect(sent).toEqual([])
  })
})

it('lines that leave one of two deliveries bring its charge', async () => {
  const split = order({
    first_delivery_on: '2026-06-01',
    has_two_deliveries: true,
    shipping_cost: 160,
    lines: [
      { ...ORDER.lines[0]!, product_on: null },
      { ...ORDER.lines[0]!, product_id: 8, product_on: '2026-06-20' },
    ],
  })
  const areas = [{ id: 1, area_name: 'Savar', cattle_charge: false, produce_charge: 80 }] satisfies AreaJson[]
  const edit = open(split, areas)
  act(() => edit.current.form.set('products', (lines) => lines.slice(0, 1)))
  expect(edit.current.form.values.shipping_cost).toBe('80')
})

describe('a step of an order', () => {
  it('is sent at once, with what was typed beside it', async () => {
    const sent = stubServer(answer(200, order({ version: 2, status: 'processing', note: 'Gate 2' })))
    const edit = open()
    act(() => edit.current.form.set('note', 'Gate 2'))
    await act(() => edit.current.takeStep('processing'))
    expect(sent.map(({ body }) => body)).toEqual([{ note: 'Gate 2', status: 'processing', reason: '', address: 'House 1', version: 1 }])
    expect(edit.current.form).toMatchObject({ isDirty: false, values: { status: 'processing', note: 'Gate 2' } })
  })

  it('that is refused is not sent again by the next save', async () => {
    const refused = { status: 422, body: { message: 'No.', errors: { status: ['The status can’t change this way'] } } }
    const sent = stubServer(refused, answer(200, order({ version: 2, note: 'Gate 2' })))
    const edit = open()
    await act(() => edit.current.takeStep('processing'))
    expect(edit.current.form.errorOf('status')).toBe('The status can’t change this way')
    act(() => edit.current.form.set('note', 'Gate 2'))
    await act(() => edit.current.form.submit())
    expect(sent.at(-1)?.body).toEqual({ note: 'Gate 2', address: 'House 1', version: 1 })
    expect(edit.current.form.errorOf('status')).toBe(undefined)
  })

  it('on a stale order is a conflict that keeps nothing of the step', async () => {
    const sent = stubServer(
      answer(409, order({ version: 5, status: 'cancelled' })),
      answer(200, order({ version: 6, status: 'cancelled' })),
    )
    const edit = open()
    act(() => edit.current.form.set('note', 'Gate 2'))
    await act(() => edit.current.takeStep('processing'))
    act(() => edit.current.conflict?.keepMine())
    await act(() => edit.current.form.submit())
    expect(sent.at(-1)?.body).toEqual({ note: 'Gate 2', address: 'House 1', version: 5 })
  })
})

describe('the sections of an order', () => {
  it('open on demand and by a change, and close when saved or discarded', async () => {
    stubServer(answer(200, order({ version: 2, note: 'Gate 2' })))
    const edit = open()
    const opened = () => (['lines', 'details'] as const).filter((section) => edit.current.sections.isOpen(section))
    expect(opened()).toEqual([])
    act(() => edit.current.form.set('note', 'Gate 2'))
    expect(opened()).toEqual(['details'])
    act(() => edit.current.sections.open('lines'))
    expect(opened()).toEqual(['lines', 'details'])
    await act(() => edit.current.form.submit())
    expect(opened()).toEqual([])
    act(() => edit.current.form.set('discount', '5'))
    expect(opened()).toEqual(['lines'])
    act(() => edit.current.sections.cancel())
    expect(opened()).toEqual([])
    expect(edit.current.form.isDirty).toBe(false)
  })
})

describe('two editors of one order', () => {
  async function conflicting() {
    const theirs = order({ version: 5, name: 'Karim Uddin', note: 'Their note' })
    const sent = stubServer(answer(409, theirs), answer(200, order({ ...theirs, version: 6, note: 'My note' })))
    const edit = open()
    act(() => edit.current.form.set('note', 'My note'))
    act(() => edit.current.form.set('products', (lines) => lines.map((line) => ({ ...line, quantity: '3' }))))
    await act(() => edit.current.form.submit())
    return { edit, sent }
  }

  it('get a conflict with the saved order, and lose nothing that was typed', async () => {
    const { edit } = await conflicting()
    expect(edit.current.conflict?.theirs.version).toBe(5)
    expect(edit.current.conflict?.before.note).toBe('')
    expect(edit.current.form).toMatchObject({ problem: null, isDirty: true, values: { note: 'My note', name: 'Karim' } })
    expect(readDraft('1:order-15')?.values).toMatchObject({ note: 'My note' })
  })

  it('merge: own changes over theirs, and theirs where nothing was changed', async () => {
    const { edit, sent } = await conflicting()
    act(() => edit.current.conflict?.keepMine())
    expect(edit.current.conflict).toBe(null)
    expect(edit.current.form.values).toMatchObject({ note: 'My note', name: 'Karim Uddin', products: [{ product_id: 7, quantity: '3' }] })
    await act(() => edit.current.form.submit())
    expect(sent.at(-1)?.body).toEqual({
      note: 'My note',
      products: [expect.objectContaining({ product_id: 7, quantity: '3' })],
      address: 'House 1',
      version: 5,
    })
    await waitFor(() => expect(edit.current.form.isDirty).toBe(false))
  })

  it('may take theirs: own changes are discarded', async () => {
    const { edit, sent } = await conflicting()
    act(() => edit.current.conflict?.takeTheirs())
    expect(edit.current.conflict).toBe(null)
    expect(edit.current.form.values).toMatchObject({ note: 'Their note', name: 'Karim Uddin', products: [{ quantity: '2' }] })
    act(() => edit.current.form.set('landmark', 'By the mosque'))
    await act(() => edit.current.form.submit())
    expect(sent.at(-1)?.body).toEqual({ landmark: 'By the mosque', address: 'House 1', version: 5 })
  })

  it('cancelling after the conflict leaves what the other editor saved', async () => {
    for (const decide of ['takeTheirs', 'keepMine'] as const) {
      const { edit } = await conflicting()
      act(() => edit.current.conflict?.[decide]())
      expect(edit.current.form.isDirty).toBe(decide === 'keepMine')
      act(() => edit.current.sections.cancel())
      expect(edit.current.form).toMatchObject({ isDirty: false, values: { note: 'Their note', name: 'Karim Uddin' } })
      expect(edit.current.sections.isOpen('details')).toBe(false)
    }
  })
})

describe('an order that another action of the page answers', () => {
  const verified = order({ version: 3, address: 'House 2', note: 'Ring twice', paid: 500 })

  it('shows what another editor saved meanwhile; the next step keeps it', async () => {
    const sent = stubServer(answer(200, order({ ...verified, version: 4, status: 'processing' })))
    const edit = open()
    act(() => edit.current.adopt(verified))
    expect(edit.current.form).toMatchObject({ isDirty: false, values: { address: 'House 2', note: 'Ring twice' } })
    await act(() => edit.current.takeStep('processing'))
    expect(sent.map(({ body }) => body)).toEqual([{ status: 'processing', reason: '', address: 'House 2', version: 3 }])
  })

  it('with unsaved changes is a conflict when they are saved', async () => {
    const sent = stubServer(answer(409, verified))
    const edit = open()
    act(() => edit.current.form.set('landmark', 'By the mosque'))
    act(() => edit.current.adopt(verified))
    expect(edit.current.form.values).toMatchObject({ landmark: 'By the mosque', address: 'House 1' })
    await act(() => edit.current.form.submit())
    expect(sent.map(({ body }) => body)).toEqual([{ landmark: 'By the mosque', address: 'House 1', version: 1 }])
    act(() => edit.current.conflict?.keepMine())
    expect(edit.current.form.values).toMatchObject({ landmark: 'By the mosque', address: 'House 2', note: 'Ring twice' })
  })

  it('whose fields are the same keeps unsaved changes, and they can be saved', async () => {
    const sent = stubServer(answer(200, order({ version: 3, landmark: 'By the mosque' })))
    const edit = open()
    act(() => edit.current.form.set('landmark', 'By the mosque'))
    act(() => edit.current.adopt(order({ version: 2, paid: 500, lines: ORDER.lines.map((line) => ({ ...line, left: 12 })) })))
    await act(() => edit.current.form.submit())
    expect(sent.map(({ body }) => body)).toEqual([{ landmark: 'By the mosque', address: 'House 1', version: 2 }])
  })
})

it('a step after which no other follows leaves the focus on the menu', async () => {
  const menu = document.createElement('button')
  menu.dataset.menu = ''
  document.body.append(menu)
  stubServer(answer(200, order({ version: 2, status: 'processing' })))
  const edit = open()
  await act(() => edit.current.takeStep('processing'))
  await waitFor(() => expect(document.activeElement).toBe(menu))
  menu.remove()
})

it('a save takes the message of the attempt that failed away', async () => {
  stubServer(answer(200, order({ version: 2, phone: '01711000008' })))
  const edit = open()
  act(() => edit.current.form.set('phone', '12'))
  await act(() => edit.current.form.submit())
  const failure = pendingToasts().at(-1)!
  expect(failure.kind).toBe('error')
  act(() => edit.current.form.set('phone', '01711000008'))
  await act(() => edit.current.form.submit())
  expect(pendingToasts().map(({ text }) => text)).not.toContain(failure.text)
})
