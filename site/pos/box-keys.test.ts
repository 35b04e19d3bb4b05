// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest'
import { BoxKeys } from './box-keys.ts'

let box: HTMLInputElement
let keys: BoxKeys
let now = 1000
let typed: string[]

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = '<input id="box" maxlength="20"><input id="other">'
  box = document.querySelector<HTMLInputElement>('#box')!
  box.focus()
  keys = new BoxKeys(() => box)
  typed = []
  box.addEventListener('input', () => typed.push(box.value))
  return () => vi.useRealTimers()
})

/** A key after a gap in milliseconds; the box takes it as a browser would. Returns whether the box was left to do so. */
function press(key: string, gap: number, isDropped = false): boolean {
  now += gap
  const event = new KeyboardEvent('keydown', { key, cancelable: true })
  Object.defineProperty(event, 'timeStamp', { value: now })
  keys.press(event, () => isDropped)
  if (event.defaultPrevented) return false
  if (key.length === 1 && document.activeElement === box) box.setRangeText(key, box.value.length, box.value.length, 'end')
  return true
}
const type = (text: string, gap: number) => [...text].map((key) => press(key, gap))

it('collects the keys of a scanner, and shows them together when no more come', () => {
  expect(type('8900017', 5)).toEqual([true, false, false, false, false, false, false])
  expect([box.value, keys.text(), keys.isShown]).toEqual(['8', '8900017', false])
  vi.advanceTimersByTime(100)
  expect([box.value, keys.text(), keys.isShown]).toEqual(['8900017', '8900017', true])
  expect(typed).toEqual(['8900017'])
})

it('leaves typed keys to the box', () => {
  expect(type('mango', 90)).not.toContain(false)
  expect([box.value, keys.isShown]).toEqual(['mango', true])
})

it('has the whole text at Enter, behind half-typed letters too', () => {
  type('ma', 120)
  press('8', 400)
  type('900017', 3)
  expect(press('Enter', 3)).toBe(true)
  expect([keys.text(), keys.burst?.text]).toEqual(['ma8900017', '8900017'])
  keys.drop()
  vi.advanceTimersByTime(100)
  expect([box.value, typed]).toEqual(['ma8', []])
})

it('shows the keys before one that edits the text, at the caret', () => {
  box.value = 'ab'
  box.setSelectionRange(1, 1)
  keys.press(new KeyboardEvent('keydown', { key: 'x' }), () => false)
  keys.drop()
  type('12', 5)
  box.setSelectionRange(1, 1)
  const before = keys.text()
  press('Backspace', 5)
  expect([before, keys.isShown]).toEqual([box.value, true])
})

it('shows no more keys than the box has room for', () => {
  type('1234567890123456789012345', 2)
  expect(keys.text()).toBe('12345678901234567890')
  vi.advanceTimersByTime(100)
  expect(box.value).toBe('12345678901234567890')
})

it('drops what the scan lock drops, and collects nothing for other fields or with a command key', () => {
  press('1', 5)
  expect(press('2', 5, true)).toBe(false)
  expect(keys.text()).toBe('1')
  document.querySelector<HTMLInputElement>('#other')!.focus()
  expect(type('345', 5)).toEqual([true, true, true])
  expect([keys.text(), keys.burst]).toEqual(['1', null])
  box.focus()
  press('a', 5)
  const copy = new KeyboardEvent('keydown', { key: 'c', ctrlKey: true, cancelable: true })
  keys.press(copy, () => false)
  expect([copy.defaultPrevented, keys.burst]).toEqual([false, null])
})
