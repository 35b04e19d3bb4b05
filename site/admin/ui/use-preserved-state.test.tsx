// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE, renderInPage } from './testing.tsx'
import { usePreservedState } from './use-preserved-state.ts'

cleanUpAfterEach()

function Note({ name }: { name: string }) {
  const [note, setNote, reset] = usePreservedState(name, 'As saved')
  return (
    <>
      <input value={note} onChange={(event) => setNote(event.target.value)} />
      <button type="button" onClick={reset}>
        Send
      </button>
    </>
  )
}

const field = () => screen.getByRole<HTMLInputElement>('textbox')
const type = (value: string) => fireEvent.change(field(), { target: { value } })
const stored = () => Object.values({ ...sessionStorage }).join()
/** Opens the dialog as after a reload, which only the browser's storage outlives. */
function open(name: string) {
  cleanup()
  renderInPage(<Note name={name} />)
  return field().value
}

it('typed values survive closing and a reload, until they are sent', async () => {
  expect(open('note-1')).toBe('As saved')
  expect(stored()).toBe('')
  type('Call again on Friday')
  expect(stored()).toContain('Call again on Friday')
  expect(open('note-2')).toBe('As saved')
  expect(open('note-1')).toBe('Call again on Friday')
  await act(async () => fireEvent.click(screen.getByRole('button')))
  expect(field().value).toBe('As saved')
  expect(open('note-1')).toBe('As saved')
})

it('an open dialog takes typed values along to the name of a later version', () => {
  cleanup()
  const { rerender } = renderInPage(<Note name="note-3-1" />)
  type('Call again on Friday')
  rerender(
    <AppRoot shell={PAGE}>
      <Note name="note-3-2" />
    </AppRoot>,
  )
  expect(field().value).toBe('Call again on Friday')
  expect(open('note-3-2')).toBe('Call again on Friday')
})
