// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Button } from '#components/button.tsx'
import { useBusyFocus } from './busy-focus.ts'

afterEach(cleanup)

function Form({ busy }: { busy: boolean }) {
  useBusyFocus()
  return (
    <>
      <input aria-label="Amount" />
      <Button busy={busy}>Send</Button>
    </>
  )
}

/** A browser takes the focus from what is disabled. */
function loseFocus() {
  const other = document.body.appendChild(document.createElement('input'))
  other.focus()
  other.remove()
  expect(document.activeElement).toBe(document.body)
}

it('a button that was busy gets the focus back, unless it has gone on', async () => {
  const { rerender } = render(<Form busy={false} />)
  const show = async (busy: boolean) => {
    rerender(<Form busy={busy} />)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const send = screen.getByRole('button')
  send.focus()
  await show(true)
  loseFocus()
  await show(false)
  expect(document.activeElement).toBe(send)
  await show(true)
  screen.getByRole('textbox').focus()
  await show(false)
  expect(document.activeElement).toBe(screen.getByRole('textbox'))
})
