// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { KeyHelp } from './key-help.tsx'
import { usePageKeys } from './keys.ts'
import { cleanUpAfterEach, renderInPage } from './testing.tsx'

cleanUpAfterEach()
beforeEach(() => localStorage.clear())

const onKey = vi.fn<(key: string) => void>()
const press = (key: string) => fireEvent.keyDown(document.body, { key })
const NAME = 'Use letters and signs as shortcuts on this device'

function Page({ help }: { help: boolean }) {
  usePageKeys({ j: () => onKey('j'), '?': () => onKey('?'), Enter: () => onKey('Enter') })
  return <KeyHelp open={help} onClose={() => {}} />
}

/** The keys that a page obeys after the switch was pressed so often. */
function obeyed(presses: number): string[] {
  const { unmount } = renderInPage(<Page help />, '/admin')
  for (let count = 0; count < presses; count++) fireEvent.click(screen.getByRole('checkbox', { name: NAME, hidden: true }))
  unmount()
  onKey.mockClear()
  const page = renderInPage(<Page help={false} />, '/admin')
  for (const key of ['j', '?', 'Enter']) press(key)
  page.unmount()
  return onKey.mock.calls.map(([key]) => key)
}

it('switches letters and signs off as shortcuts, also on the next page, and on again', () => {
  expect(obeyed(0)).toEqual(['j', '?', 'Enter'])
  expect(obeyed(1)).toEqual(['Enter'])
  expect(obeyed(1)).toEqual(['j', '?', 'Enter'])
})

it('leaves the switch on where the browser forbids storage', () => {
  vi.stubGlobal('localStorage', {
    getItem() {
      throw new Error('forbidden')
    },
    setItem() {
      throw new Error('forbidden')
    },
    removeItem() {},
  })
  expect(obeyed(1)).toEqual(['j', '?', 'Enter'])
  vi.unstubAllGlobals()
})
