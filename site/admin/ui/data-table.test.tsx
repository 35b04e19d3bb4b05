// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Column, DataTable } from './data-table.tsx'
import { cleanUpAfterEach, renderInPage } from './testing.tsx'

cleanUpAfterEach()

interface Row {
  id: number
  name: string
  stock: number | null
}

const ROWS: Row[] = [
  { id: 1, name: 'Himsagar', stock: 4 },
  { id: 2, name: 'Langra', stock: null },
  { id: 3, name: 'Fazli', stock: 9 },
]
const COLUMNS: Column<Row>[] = [
  { key: 'name', head: 'Name', cell: ({ name }) => name, sort: 'name' },
  { key: 'stock', head: 'Stock', cell: ({ stock }) => stock, align: 'end', sort: 'stock' },
  { key: 'more', head: 'More', cell: () => 'x', wideOnly: true },
]

function open({ isSelectable = true, rows = ROWS }: { isSelectable?: boolean; rows?: Row[] } = {}) {
  const bulk = (picked: Row[], clear: () => void) => (
    <button type="button" onClick={clear}>{`Archive ${picked.map(({ name }) => name).join(', ')}`}</button>
  )
  renderInPage(
    <DataTable
      label="Products"
      rows={rows}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/admin/products/${id}`}
      rowName={({ name }) => name}
      sort={{ by: 'name', order: 'asc' }}
      {...(isSelectable ? { bulk } : {})}
      empty="No products"
    />,
    '/admin/products?q=m&page=2&sort=name&order=asc',
  )
}

const key = (name: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key: name })
const current = () => document.querySelector('tr[data-at]')?.textContent
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

afterEach(() => vi.restoreAllMocks())

it('the end of a selection leaves the focus at the boxes', async () => {
  open()
  fireEvent.click(box('Select Himsagar'))
  const clear = screen.getByRole('button', { name: 'Clear selection' })
  clear.focus()
  fireEvent.click(clear, { detail: 0 })
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Select all on this page')
})

describe('a table', () => {
  it('has a link in the first cell of each row, and hides blank cells on a phone', () => {
    open()
    expect(screen.getByRole('link', { name: 'Himsagar' }).getAttribute('href')).toBe('/admin/products/1')
    const cells = within(screen.getByRole('row', { name: /Langra/ })).getAllByRole('cell')
    expect(cells.map(({ className }) => className)).toEqual(['pick', 'lead', 'end max-md:hidden', 'max-xl:hidden'])
    expect(cells.map((cell) => cell.dataset.label)).toEqual([undefined, 'Name', 'Stock', 'More'])
  })

  it('without rows shows the text for an empty list', () => {
    open({ rows: [] })
    expect(screen.queryByRole('table')).toBe(null)
    expect(screen.getByText('No products')).toBeTruthy()
  })

  it('sorts by links: the current column turns its order, another begins ascending on the first page', () => {
    open()
    const head = screen.getByRole('columnheader', { name: 'Name' })
    expect(head.getAttribute('aria-sort')).toBe('ascending')
    const query = (name: string) =>
      Object.fromEntries(new URL(screen.getByRole('link', { name }).getAttribute('href')!, 'http://shop').searchParams)
    expect(query('Name')).toEqual({ q: 'm', sort: 'name', order: 'desc' })
    expect(query('Stock')).toEqual({ q: 'm', sort: 'stock', order: 'asc' })
  })
})

describe('the keys', () => {
  it('j and k move through the rows and stop at the ends', () => {
    open()
    key('j')
    expect(current()).toContain('Himsagar')
    key('k')
    expect(current()).toContain('Himsagar')
    for (let times = 0; times < 5; times++) key('j')
    expect(current()).toContain('Fazli')
    expect(document.activeElement?.textContent).toBe('Fazli')
  })

  it('x selects the current row', () => {
    open()
    key('j')
    key('j')
    key('x')
    expect(screen.getByRole('button', { name: 'Archive Langra' })).toBeTruthy()
    key('x')
    expect(screen.queryByRole('button', { name: /Archive/ })).toBe(null)
  })

  it('Enter opens the current row, but not while a link or a box has the focus', () => {
    open()
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
    key('j')
    key('Enter')
    expect(assign).not.toHaveBeenCalled()
    ;(document.activeElement as HTMLElement).blur()
    key('Enter')
    expect(assign).toHaveBeenCalledWith('/admin/products/1')
  })

  it('do nothing while a user types in a field', () => {
    open()
    const field = document.body.appendChild(document.createElement('input'))
    field.focus()
    key('j')
    expect(current()).toBeUndefined()
    field.remove()
  })
})

describe('the selection', () => {
  it('takes single rows, all, and none; the box of all shows when some are selected', () => {
    open()
    fireEvent.click(box('Select Langra'))
    expect(box('Select all on this page').indeterminate).toBe(true)
    fireEvent.click(box('Select all on this page'))
    expect(screen.getByRole('button', { name: 'Archive Himsagar, Langra, Fazli' })).toBeTruthy()
    expect(box('Select all on this page')).toMatchObject({ checked: true, indeterminate: false })
    fireEvent.click(box('Select all on this page'))
    expect(screen.queryByRole('button', { name: /Archive/ })).toBe(null)
  })

  it('is cleared by its action', () => {
    open()
    fireEvent.click(box('Select Fazli'))
    fireEvent.click(screen.getByRole('button', { name: 'Archive Fazli' }))
    expect(box('Select Fazli').checked).toBe(false)
  })

  it('is not offered without an action for it', () => {
    open({ isSelectable: false })
    expect(screen.queryAllByRole('checkbox')).toEqual([])
  })
})

describe('a row that is removed', () => {
  function Shrinking() {
    const [rows, setRows] = useState(ROWS)
    const columns: Column<Row>[] = [
      ...COLUMNS,
      {
        key: 'do',
        head: 'Do',
        cell: (row) => <button onClick={() => setRows((now) => now.filter((one) => one !== row))}>Verify {row.name}</button>,
      },
    ]
    return (
      <DataTable label="Products" rows={rows} columns={columns} rowKey={({ id }) => id} rowHref={({ id }) => `/p/${id}`} empty="None" />
    )
  }
  const verify = (name: string) => {
    const button = screen.getByRole('button', { name: `Verify ${name}` })
    button.focus()
    fireEvent.click(button)
  }

  it('leaves the focus on the next row, on the previous one at the end, and on the text of the empty list', () => {
    renderInPage(<Shrinking />)
    verify('Himsagar')
    expect(document.activeElement?.textContent).toBe('Langra')
    verify('Fazli')
    expect(document.activeElement?.textContent).toBe('Langra')
    verify('Langra')
    expect(document.activeElement?.textContent).toBe('None')
  })

  it('leaves the focus in a row that loses the pressed button alone', () => {
    function Published() {
      const [done, setDone] = useState<number | null>(null)
      const publish = ({ id, name }: Row) => (id === done ? 'Published' : <button onClick={() => setDone(id)}>Publish {name}</button>)
      const columns: Column<Row>[] = [...COLUMNS, { key: 'do', head: 'Do', cell: publish }]
      return <DataTable label="Reviews" rows={ROWS} columns={columns} rowKey={({ id }) => id} rowHref={({ id }) => `/p/${id}`} />
    }
    renderInPage(<Published />)
    const button = screen.getByRole('button', { name: 'Publish Langra' })
    button.focus()
    fireEvent.click(button)
    expect(button.isConnected).toBe(false)
    expect(document.activeElement?.textContent).toBe('Langra')
  })

  it('takes no focus that is elsewhere', () => {
    renderInPage(
      <>
        <Shrinking />
        <input aria-label="Search" />
      </>,
    )
    const button = screen.getByRole('button', { name: 'Verify Langra' })
    button.focus()
    screen.getByRole('textbox', { name: 'Search' }).focus()
    fireEvent.click(button)
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Search')
  })
})
