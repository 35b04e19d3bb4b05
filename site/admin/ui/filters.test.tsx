// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type FilterField, FilterBar } from './filters.tsx'
import { renderInPage, stubServer, cleanUpAfterEach } from './testing.tsx'

cleanUpAfterEach()

const FIELDS: FilterField[] = [
  { name: 'q', label: 'Search', kind: 'search' },
  {
    name: 'status',
    label: 'Status',
    kind: 'select',
    options: [
      ['placed', 'Placed'],
      ['delivered', 'Delivered'],
    ],
  },
  { name: 'min', label: 'From taka', kind: 'number', isRare: true },
]
const SAVED = [{ id: 4, name: 'To deliver', query: 'status=placed' }]

interface Options {
  values?: Record<string, string>
  saved?: { id: number; name: string; query: string }[]
}

function open({ values = {}, saved }: Options = {}) {
  const query = new URLSearchParams(values).toString()
  renderInPage(
    <FilterBar screen="orders" fields={FIELDS} values={values} {...(saved ? { saved } : {})} />,
    `/admin/orders${query ? `?${query}` : ''}`,
  )
  return screen.getByRole<HTMLFormElement>('search')
}

/** The query that the browser would send: enabled fields with a name. */
const queryOf = (form: HTMLFormElement) =>
  Object.fromEntries(
    [...form.elements].flatMap((field) =>
      (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) && field.name && !field.disabled
        ? [[field.name, field.value]]
        : [],
    ),
  )

describe('the filters', () => {
  it('are a form of the list that works without script, and show the values of the URL', () => {
    const form = open({ values: { q: 'karim', status: 'placed', sort: 'id' } })
    expect([form.method, form.getAttribute('action')]).toEqual(['get', '/admin/orders'])
    expect(queryOf(form)).toEqual({ q: 'karim', status: 'placed', min: '', sort: 'id' })
  })

  it('say of a deleted choice that it is gone, and go on filtering by it', () => {
    const form = open({ values: { status: 'lost' } })
    expect(queryOf(form)['status']).toBe('lost')
    expect(screen.getByRole<HTMLSelectElement>('combobox').selectedOptions[0]?.text).toBe('No longer there')
  })

  it('leave empty fields out of the URL, and have them again afterwards', async () => {
    const form = open({ values: { q: 'karim' } })
    form.addEventListener('submit', (event) => event.preventDefault())
    fireEvent.submit(form)
    expect(queryOf(form)).toEqual({ q: 'karim' })
    await waitFor(() => expect(queryOf(form)).toEqual({ q: 'karim', status: '', min: '' }))
  })

  it('are sent when a choice is made', () => {
    const form = open()
    let sent: object | null = null
    form.requestSubmit = () => void (sent = queryOf(form))
    fireEvent.change(screen.getByLabelText('Status'), { target: { value: 'delivered' } })
    expect(sent).toMatchObject({ status: 'delivered' })
  })

  it('offer to reset only what filters, not the order of the list', () => {
    open({ values: { sort: 'id', order: 'asc' } })
    expect(screen.queryByRole('link', { name: 'Reset' })).toBe(null)
  })

  it('are reset by the URL of the list', () => {
    open({ values: { q: 'karim' } })
    expect(screen.getByRole('link', { name: 'Reset' }).getAttribute('href')).toBe('/admin/orders')
  })
})

describe('saved filters', () => {
  it('are links; the current one is marked and not offered for saving again', () => {
    open({ values: { status: 'placed' }, saved: SAVED })
    const link = screen.getByRole('link', { name: 'To deliver' })
    expect([link.getAttribute('href'), link.getAttribute('aria-current')]).toEqual(['/admin/orders?status=placed', 'page'])
    expect(screen.queryByRole('button', { name: 'Save filters' })).toBe(null)
  })

  it('are added with a name', async () => {
    const added = { id: 9, name: 'Karim', query: 'q=karim' }
    const sent = stubServer({ status: 200, body: { filter: added } })
    open({ values: { q: 'karim' }, saved: SAVED })
    fireEvent.click(screen.getByRole('button', { name: 'Save filters' }))
    const name = screen.getByRole('textbox', { name: 'Name' })
    expect(document.activeElement).toBe(name)
    fireEvent.change(name, { target: { value: 'Karim' } })
    fireEvent.submit(name.closest('form')!)
    await waitFor(() => expect(screen.getByRole('link', { name: 'Karim' })).toBeTruthy())
    expect(sent).toEqual([{ url: '/api/admin/saved-filters', method: 'POST', body: { screen: 'orders', name: 'Karim', query: 'q=karim' } }])
    expect(screen.queryByRole('textbox', { name: 'Name' })).toBe(null)
  })

  it('are deleted, and stay when the server does not answer', async () => {
    const sent = stubServer(null, { status: 200, body: {} })
    open({ saved: SAVED })
    const list = screen.getByRole('group')
    const remove = () => fireEvent.click(within(list).getByRole('button'))
    remove()
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(screen.getByRole('link', { name: 'To deliver' })).toBeTruthy()
    remove()
    await waitFor(() => expect(screen.queryByRole('link', { name: 'To deliver' })).toBe(null))
    expect(sent[1]).toMatchObject({ url: '/api/admin/saved-filters/4', method: 'DELETE' })
  })
})
