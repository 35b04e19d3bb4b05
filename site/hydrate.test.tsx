// @vitest-environment happy-dom
import { useEffect, useState } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { dhakaDate, formatDay, setShopDay } from '#lib/format/time.ts'
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

function openPage(content = <Page />): void {
  const html = renderToString(<AppRoot shell={shell}>{content}</AppRoot>)
  document.body.innerHTML = `<div id="app">${html}</div>`
  element<HTMLElement>('#app').dataset.props = JSON.stringify({ shell, props: {}, today: dhakaDate(new Date()) })
}

afterEach(() => {
  delete window.pageAwake
  setShopDay('')
  vi.restoreAllMocks()
  vi.useRealTimers()
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

/** A day that the server writes without its year. */
const Day = () => <time>{formatDay('2026-11-20', 'en')}</time>

it('days are written by the clock of the shop, on a device whose clock is years behind', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.useFakeTimers({ now: new Date('2026-11-30T06:00:00Z'), toFake: ['Date'] })
  openPage(<Day />)
  vi.setSystemTime(new Date('2020-01-01T06:00:00Z'))
  hydratePage(Day)
  await vi.waitFor(() => expect(window.pageAwake).toBe(true))
  expect(element('time').textContent).toBe('20 Nov')
  expect(errors).not.toHaveBeenCalled()
})
