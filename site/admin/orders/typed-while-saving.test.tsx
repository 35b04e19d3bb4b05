// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { AppRoot } from '#page/page-context.tsx'
import { readDraft } from '../ui/draft.ts'
import { cleanUpAfterEach, PAGE } from '../ui/testing.tsx'
import { ORDER } from './testing/order.ts'
import { useOrderEdit } from './use-order-edit.ts'

cleanUpAfterEach()

function open() {
  const wrapper = ({ children }: { children: ReactNode }) => <AppRoot shell={PAGE}>{children}</AppRoot>
  const useEdit = () => {
    const [order, setOrder] = useState(ORDER)
    return useOrderEdit(order, setOrder, { areas: [] })
  }
  return renderHook(useEdit, { wrapper }).result
}

it('what is typed while a save is on its way stays, over what was saved, and is unsaved', async () => {
  let arrive = (_answer: Response) => {}
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (arrive = resolve)))
  const edit = open()
  act(() => edit.current.sections.open('lines'))
  act(() => edit.current.form.set('note', 'Gate 2 '))
  let isSaved: Promise<boolean>
  await act(async () => void (isSaved = edit.current.form.submit()))
  act(() => edit.current.form.set('landmark', 'Bridge'))
  act(() => edit.current.form.set('name', 'Karima'))
  act(() => edit.current.form.set('name', 'Karim'))
  await act(async () => {
    arrive(Response.json({ order: { ...ORDER, version: 2, note: 'Gate 2' } }))
    await isSaved
  })
  expect(edit.current.form).toMatchObject({ isDirty: true, problem: null, values: { note: 'Gate 2', landmark: 'Bridge', name: 'Karim' } })
  expect(readDraft('1:order-15')).toMatchObject({ values: { landmark: 'Bridge' }, version: 2 })
  expect((['lines', 'details'] as const).map(edit.current.sections.isOpen)).toEqual([false, true])
})

it('the section that closes after a save takes no focus from a field that is typed in', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ order: { ...ORDER, version: 2, note: 'Gate 2' } }))
  const [button, field] = [document.createElement('button'), document.createElement('input')]
  button.id = 'edit-lines'
  document.body.append(button, field)
  const edit = open()
  act(() => edit.current.sections.open('lines'))
  act(() => edit.current.form.set('note', 'Gate 2'))
  field.focus()
  await act(() => edit.current.form.submit())
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(document.activeElement).toBe(field)
  field.remove()
  act(() => edit.current.sections.open('lines'))
  act(() => edit.current.sections.cancel())
  await vi.waitFor(() => expect(document.activeElement).toBe(button))
  button.remove()
})
