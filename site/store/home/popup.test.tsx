// @vitest-environment happy-dom
import { act } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import type { PopupJson } from '#features/catalog/types.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../../admin/ui/testing.tsx'
import { Popup } from './popup.tsx'

cleanUpAfterEach()
afterEach(() => void vi.useRealTimers())

const POPUP: PopupJson = { id: 3, shown: 'false', image: '/uploads/cow.webp', picture: null, alt: 'Book a cow', link: '' }

const later = () => act(() => vi.advanceTimersByTimeAsync(5000))
const isOpen = () => document.querySelector('dialog img')?.closest('dialog')?.open === true

/** An element of the page under the campaign. */
function add<Name extends keyof HTMLElementTagNameMap>(name: Name): HTMLElementTagNameMap[Name] {
  const element = document.body.appendChild(document.createElement(name))
  element.tabIndex = 0
  onTestFinished(() => element.remove())
  return element
}

it('the campaign does not cover a search that is being typed, nor another dialog', async () => {
  vi.useFakeTimers()
  const sent = stubServer({ status: 200, body: { message: '' } })
  const search = add('input')
  const other = add('dialog')
  search.focus()
  renderInPage(<Popup popup={POPUP} />)
  await later()
  expect(isOpen()).toBe(false)
  other.showModal()
  search.blur()
  await later()
  expect(isOpen()).toBe(false)
  // It counts as shown only now.
  expect(sent).toEqual([])
  other.close()
  await later()
  expect(isOpen()).toBe(true)
  await later()
  expect(sent).toEqual([{ url: '/mark-popup-shown', method: 'POST', body: { shown: true } }])
})

it.each([
  ['a link that is tapped', 'click', false],
  ['a form that is sent', 'submit', false],
  ['a link that the list answers in place', 'click', true],
])('%s after a search decides about the campaign', async (_what, type, isInPlace) => {
  vi.useFakeTimers()
  const sent = stubServer({ status: 200, body: { message: '' } })
  const search = add('input')
  const used = add(type === 'click' ? 'a' : 'form')
  if (isInPlace) used.addEventListener(type, (event) => event.preventDefault())
  search.focus()
  renderInPage(<Popup popup={POPUP} />)
  await later()
  used.focus()
  // A finger rests on the link for longer than between two checks.
  await act(() => vi.advanceTimersByTimeAsync(1000))
  used.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }))
  await later()
  expect([isOpen(), sent.length]).toEqual(isInPlace ? [true, 1] : [false, 0])
})

it('a link that was tapped while the campaign loaded is followed', async () => {
  vi.useFakeTimers()
  const sent = stubServer()
  add('a').focus()
  renderInPage(<Popup popup={POPUP} />)
  await later()
  expect([isOpen(), sent]).toEqual([false, []])
})

it.each([
  ['select', ''],
  ['input', 'checkbox'],
  ['input', 'radio'],
] as const)('a choice that is made, and still focused, holds nothing back: %s %s', (name, type) => {
  stubServer({ status: 200, body: { message: '' } })
  const choice = add(name)
  choice.setAttribute('type', type)
  choice.focus()
  renderInPage(<Popup popup={POPUP} />)
  expect(isOpen()).toBe(true)
})
