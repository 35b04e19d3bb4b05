// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ActingSelect } from './acting-select.tsx'
import { cleanUpAfterEach, renderInPage } from './testing.tsx'

cleanUpAfterEach()

function pressed(key: string, modifiers: object = {}): { isChosen: boolean; isListOpen: boolean } {
  renderInPage(<ActingSelect aria-label="New status" onChange={() => {}} />)
  const select = screen.getByLabelText<HTMLSelectElement>('New status')
  const showPicker = vi.fn<() => void>()
  select.showPicker = showPicker
  const isChosen = fireEvent.keyDown(select, { key, ...modifiers })
  return { isChosen, isListOpen: showPicker.mock.calls.length > 0 }
}

it.each(['ArrowDown', 'ArrowUp', 'PageDown', 'End', 'd', 'ব'])('%s opens the list and chooses nothing', (key) => {
  expect(pressed(key)).toEqual({ isChosen: false, isListOpen: true })
})

it('where a script cannot open the list, as in Safari, keys are left to the browser', () => {
  renderInPage(<ActingSelect aria-label="New status" onChange={() => {}} />)
  const select = screen.getByLabelText<HTMLSelectElement>('New status')
  Object.defineProperty(select, 'showPicker', { value: undefined })
  expect(fireEvent.keyDown(select, { key: 'ArrowDown' })).toBe(true)
})

it.each([
  ['Tab', {}],
  ['Enter', {}],
  [' ', {}],
  ['Escape', {}],
  ['ArrowDown', { altKey: true }],
  ['k', { ctrlKey: true }],
])('%s is left to the browser', (key, modifiers) => {
  expect(pressed(key, modifiers)).toEqual({ isChosen: true, isListOpen: false })
})
