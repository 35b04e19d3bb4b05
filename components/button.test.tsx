// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { Button } from './button.tsx'

afterEach(cleanup)

it('a busy button has the focus still, and neither works nor submits', () => {
  const work = vi.fn<() => void>()
  const submit = vi.fn<(event: SubmitEvent) => void>((event) => event.preventDefault())
  const form = (busy: boolean) => (
    <form onSubmit={(event) => submit(event.nativeEvent as SubmitEvent)}>
      <Button type="submit" busy={busy} onClick={work}>
        Send
      </Button>
    </form>
  )
  const { rerender } = render(form(false))
  const button = screen.getByRole<HTMLButtonElement>('button')
  button.focus()
  rerender(form(true))
  expect([document.activeElement === button, button.disabled, button.getAttribute('aria-disabled')]).toEqual([true, false, 'true'])
  fireEvent.click(button)
  expect([work, submit].map((called) => called.mock.calls.length)).toEqual([0, 0])
  rerender(form(false))
  fireEvent.click(button)
  expect([work, submit].map((called) => called.mock.calls.length)).toEqual([1, 1])
})
