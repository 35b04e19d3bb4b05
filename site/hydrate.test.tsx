// @vitest-environment happy-dom
import { useEffect, useState } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { hydratePage } from './hydrate.tsx'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.repeat(3)
const shell = { lang: 'en', path: '/' } as PageContextValue

/** A field that shows its state, and another whose draft is restored after hydration. */
function Page() {
  const [name, setName] = useState('')
  const [address, setAddress] = useState('')
  useEffect(() => setAddress('Road 4'), [])
  return (
    <form>
      <input id="name" value={name} onChange={(event) => setName(event.target.value)} />
      <input id="address" value={address} onChange={(event) => setAddress(event.target.value)} />
      <output>{name}</output>
    </form>
  )
}

const element = <Selected extends Element>(selector: string) => document.querySelector<Selected>(selector)!
const field = (id: string) => element<HTMLInputElement>(`#${id}`)

/** Adds a letter as a browser does: past React's own setter, with an event. */
function type(letter: string): void {
  const input = field('name')
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, input.value + letter)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

function openPage(): void {
  const html = renderToString(
    <AppRoot shell={shell}>
      <Page />
    </AppRoot>,
  )
  document.body.innerHTML = `<div id="app">${html}</div>`
  element<HTMLElement>('#app').dataset.props = JSON.stringify({ shell, props: {} })
}

afterEach(() => {
  delete window.pageAwake
  vi.restoreAllMocks()
})

it('letters typed before hydration and right after it stay, beside a restored draft', async () => {
  const errors: unknown[] = []
  vi.spyOn(console, 'error').mockImplementation((...parts) => void errors.push(parts))
  openPage()
  field('name').value = LETTERS
  let isAwake = false
  Object.defineProperty(window, 'pageAwake', {
    configurable: true,
    get: () => isAwake,
    set: () => {
      isAwake = true
      // The browser delivers letters that waited for a busy thread one after the other, without time for React between them.
      queueMicrotask(() => queueMicrotask(() => [...LETTERS].forEach(type)))
    },
  })
  hydratePage(Page)
  await vi.waitFor(() => expect(element('output').textContent).toBe(LETTERS + LETTERS))
  expect([field('name').value, field('address').value, errors]).toEqual([LETTERS + LETTERS, 'Road 4', []])
})
