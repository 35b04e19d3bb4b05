// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { pendingToasts } from '#components/toast.tsx'
import { requiredText, versionField, takaField, textField } from '#lib/form-fields.ts'
import { adminPost } from './admin-post.ts'
import { readDraft, storeDraft } from './draft.ts'
import { AdminForm, FormNumber, FormText } from './form.tsx'
import { removeUpload, trackUpload } from './running-uploads.ts'
import { renderInPage, type SentRequest, stubServer, cleanUpAfterEach } from './testing.tsx'
import { type AdminFormState, useAdminForm } from './use-form.ts'

cleanUpAfterEach()

interface Values {
  name: string
  note: string
  charge: { taka: string }
  lines: { quantity: string }[]
  version: number
}

const SAVED: Values = { name: 'Savar', note: '', charge: { taka: '60' }, lines: [{ quantity: '1' }], version: 3 }
const schema = z.strictObject({
  name: requiredText(20),
  note: textField(100),
  charge: z.strictObject({ taka: takaField(100_000) }),
  lines: z.array(z.strictObject({ quantity: requiredText(5) })),
  version: versionField,
})

let form: AdminFormState<Values>
const expose = (state: AdminFormState<Values>) => void (form = state)

function AreaForm({ version, name = SAVED.name }: { version: number | null; name?: string }) {
  const state = useAdminForm<Values, { area: Values }>({
    id: 'area-5',
    initial: { ...SAVED, version: version ?? 1, name },
    ...(version === null ? {} : { version }),
    schema,
    save: (values) => adminPost('/admin/areas/5', values),
    onSaved: ({ area }) => area,
  })
  useLayoutEffect(() => expose(state))
  return (
    <AdminForm form={state}>
      <FormText name="name" label="Name" />
      <FormText name="note" label="Note" />
      <FormNumber name="charge.taka" label="Charge" />
      <FormText name="lines.0.quantity" label="Quantity" />
    </AdminForm>
  )
}

const open = (version: number | null = 3) => renderInPage(<AreaForm version={version} />)
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string, text: string) => fireEvent.change(field(label), { target: { value: text } })
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))
const stored = () => readDraft('1:area-5')?.values as Partial<Values> | undefined
const errorAt = (label: string) => document.getElementById(`${field(label).id}-error`)?.textContent
const saved = (values: Partial<Values>) => ({ status: 200, body: { area: { ...SAVED, version: 4, ...values } } })
const isGuarded = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

describe('saving', () => {
  it('sends the values as typed, and takes the answer for saved', async () => {
    const sent = stubServer(saved({ name: 'Savar Union' }))
    open()
    type('Name', ' Savar Union ')
    type('Charge', '৭০')
    expect(form.isDirty).toBe(true)
    save()
    await waitFor(() => expect(form.values.name).toBe('Savar Union'))
    expect(sent).toEqual([
      { url: '/admin/areas/5', method: 'POST', body: { ...SAVED, name: ' Savar Union ', charge: { taka: '৭০' } } } satisfies SentRequest,
    ])
    expect(form).toMatchObject({ isDirty: false, isSaving: false, problem: null })
    expect(form.values.version).toBe(4)
  })

  it('sends one request when it is submitted twice', async () => {
    const sent = stubServer(saved({}), saved({}))
    open()
    type('Note', 'north')
    await act(async () => {
      const results = await Promise.all([form.submit(), form.submit()])
      expect(results).toEqual([true, false])
    })
    expect(sent).toHaveLength(1)
  })

  it('saves with Ctrl S, and only when something changed', async () => {
    const sent = stubServer(saved({ note: 'north' }))
    open()
    const press = () => fireEvent.keyDown(document.body, { key: 's', ctrlKey: true })
    expect(press()).toBe(false)
    expect(sent).toHaveLength(0)
    type('Note', 'north')
    press()
    await waitFor(() => expect(form.isDirty).toBe(false))
    expect(sent).toHaveLength(1)
  })
})

describe('saving while files are uploaded', () => {
  it('waits for them, and sends what they add to the form', async () => {
    const sent = stubServer(saved({ note: 'picture 7' }))
    open()
    const upload = Promise.withResolvers<boolean>()
    trackUpload(1, upload.promise)
    type('Name', 'Savar Union')
    save()
    await waitFor(() => expect(form.isSaving).toBe(true))
    expect(sent).toHaveLength(0)
    act(() => form.set('note', 'picture 7'))
    upload.resolve(true)
    await waitFor(() => expect(form.isDirty).toBe(false))
    expect(sent).toMatchObject([{ body: { name: 'Savar Union', note: 'picture 7' } }])
    expect(form.isSaving).toBe(false)
  })

  it('saves nothing while a failed one is in its list', async () => {
    const sent = stubServer(saved({ name: 'Savar Union' }))
    open()
    type('Name', 'Savar Union')
    trackUpload(2, Promise.resolve(false))
    save()
    await waitFor(() => expect(form.message).toBe('A file was not uploaded. Try it again or dismiss it, then save.'))
    expect(await act(() => form.submit())).toBe(false)
    expect(sent).toHaveLength(0)
    removeUpload(2)
    save()
    await waitFor(() => expect(form.isDirty).toBe(false))
    expect(sent).toHaveLength(1)
  })
})

describe('errors', () => {
  it('come from the schema before anything is sent, at every field that is wrong', async () => {
    const sent = stubServer()
    open()
    type('Name', ' ')
    type('Charge', 'many')
    type('Quantity', '123456')
    save()
    await waitFor(() => expect(errorAt('Name')).toBe('This field is required.'))
    expect(field('Name').getAttribute('aria-invalid')).toBe('true')
    expect(errorAt('Charge')).toBeTruthy()
    expect(errorAt('Quantity')).toBeTruthy()
    expect(errorAt('Note')).toBeUndefined()
    expect(sent).toEqual([])
    await waitFor(() => expect(document.activeElement).toBe(field('Name')))
  })

  it('of the server stand at their fields, and go when the field changes', async () => {
    const errors = { name: ['Taken.'], 'charge.taka': ['Too much.'], 'lines.0.quantity': ['Sold out.'] }
    stubServer({ status: 422, body: { message: 'Please look at the fields.', errors } }, saved({ name: 'Savar' }))
    open()
    type('Name', 'Dhamrai')
    save()
    await waitFor(() => expect(errorAt('Name')).toBe('Taken.'))
    expect([errorAt('Charge'), errorAt('Quantity')]).toEqual(['Too much.', 'Sold out.'])
    expect(form.problem).toBe('refused')
    type('Quantity', '2')
    expect([errorAt('Name'), errorAt('Charge'), errorAt('Quantity')]).toEqual(['Taken.', 'Too much.', undefined])
    type('Charge', '61')
    expect(form.problem).toBe('refused')
    // With the last one the bar has nothing left to say.
    type('Name', 'Savar')
    expect(form.problem).toBe(null)
    save()
    await waitFor(() => expect(form.values.version).toBe(4))
  })

  it.each([
    [null, 'offline', 3],
    [{ status: 401, body: { message: 'Please sign in.' } }, 'signed-out', 3],
    [{ status: 409, body: { message: 'Another person saved this.' } }, 'stale', 3],
    // A new row has no other version.
    [{ status: 409, body: { message: 'There are too many.' } }, 'refused', null],
    [{ status: 403, body: { message: 'Not allowed.' } }, 'refused', 3],
  ] as const)('%j keeps what was typed, and is %s', async (answer, problem, version) => {
    stubServer(answer)
    open(version)
    type('Note', 'north')
    save()
    await waitFor(() => expect(form.problem).toBe(problem))
    expect(field('Note').value).toBe('north')
    expect(stored()).toMatchObject({ note: 'north' })
    expect(screen.getByRole('alert').textContent).toBeTruthy()
    expect(pendingToasts().at(-1)?.kind).toBe('error')
  })
})

describe('drafts', () => {
  it('are stored while something is unsaved, and deleted with the change or the saving', async () => {
    stubServer(saved({ note: 'north' }))
    open()
    expect(stored()).toBeUndefined()
    type('Note', 'north')
    expect(stored()).toEqual({ note: 'north' })
    expect(isGuarded()).toBe(true)
    type('Note', '')
    expect(stored()).toBeUndefined()
    expect(isGuarded()).toBe(false)
    type('Note', 'north')
    save()
    await waitFor(() => expect(form.isDirty).toBe(false))
    expect(stored()).toBeUndefined()
  })

  it('are put back when the page opens again, and say whether the row was saved since', () => {
    storeDraft('1:area-5', { values: { note: 'north', lines: [{ quantity: '7' }] }, version: 3 })
    open()
    expect([field('Note').value, field('Quantity').value, field('Name').value]).toEqual(['north', '7', 'Savar'])
    expect(form).toMatchObject({ restored: 'same', isDirty: true })
    expect(stored()).toMatchObject({ note: 'north' })
    expect(screen.getByRole('button', { name: 'Discard' })).toBeTruthy()
  })

  it('of another user who was logged in in this window stay out', () => {
    storeDraft('2:area-5', { values: { note: 'north' }, version: 3 })
    open()
    expect(form).toMatchObject({ restored: null, isDirty: false, values: SAVED })
    storeDraft('1:area-5', { values: { note: 'south' }, version: 3 })
    cleanup()
    open()
    expect(field('Note').value).toBe('south')
  })

  it('of an older version are marked as old', () => {
    storeDraft('1:area-5', { values: { note: 'north' }, version: 3 })
    open(4)
    expect(form.restored).toBe('old')
  })

  it('are put over what another person saved: a conflict ends with the page that is loaded again', async () => {
    const sent = stubServer({ status: 409, body: { message: 'Another person saved this.' } }, saved({ version: 5 }))
    const { unmount } = open()
    type('Note', 'north')
    save()
    await waitFor(() => expect(form.problem).toBe('stale'))
    unmount()
    renderInPage(<AreaForm version={4} name="Savar Union" />)
    expect([field('Name').value, field('Note').value, form.restored]).toEqual(['Savar Union', 'north', 'old'])
    save()
    await waitFor(() => expect(form.isDirty).toBe(false))
    expect(sent.at(-1)?.body).toMatchObject({ version: 4, name: 'Savar Union', note: 'north' })
  })

  it('after an own save are those of the saved row', async () => {
    stubServer(saved({ name: 'Savar Union' }))
    const { unmount } = open()
    type('Name', 'Savar Union')
    save()
    await waitFor(() => expect(form.isDirty).toBe(false))
    type('Note', 'north')
    unmount()
    renderInPage(<AreaForm version={4} name="Savar Union" />)
    expect([field('Note').value, form.restored]).toEqual(['north', 'same'])
  })

  it('can be discarded', () => {
    storeDraft('1:area-5', { values: { note: 'north' }, version: 3 })
    open()
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect(form).toMatchObject({ restored: null, isDirty: false, values: SAVED })
    expect(stored()).toBeUndefined()
  })
})

describe('the values', () => {
  it('of one event see each other', () => {
    open()
    act(() => {
      form.set('lines', (lines) => [...lines, { quantity: '2' }])
      form.set('lines', (lines) => [...lines, { quantity: '3' }])
    })
    expect(form.values.lines.map(({ quantity }) => quantity)).toEqual(['1', '2', '3'])
    act(() => form.setAll((values) => ({ ...values, name: 'Dhamrai', lines: [] })))
    expect(form).toMatchObject({ isDirty: true, values: { name: 'Dhamrai', lines: [] } })
  })

  it('are set by one function, whatever is rendered', () => {
    open()
    const { set } = form
    act(() => form.set('name', 'Dhamrai'))
    expect([form.values.name, form.set === set]).toEqual(['Dhamrai', true])
  })

  it('have the limits of the schema at their fields', () => {
    open()
    expect([field('Name').maxLength, field('Name').required]).toEqual([20, true])
    expect([field('Note').maxLength, field('Note').required]).toEqual([100, false])
    expect(field('Quantity').maxLength).toBe(5)
    expect(form.limitsOf('charge.taka')).toEqual({})
  })
})
