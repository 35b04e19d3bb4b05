// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { SidePanel } from './side-panel.tsx'

afterEach(cleanup)

function Book() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Change
      </button>
      {isOpen ? (
        <SidePanel title="Addresses" closeLabel="Close" onClose={() => setOpen(false)}>
          <button type="button" onClick={() => setOpen(false)}>
            Choose
          </button>
        </SidePanel>
      ) : null}
    </>
  )
}

it('the focus returns to the button that opened the panel, also when a choice in it closes it', () => {
  render(<Book />)
  const opener = screen.getByText('Change')
  opener.focus()
  fireEvent.click(opener)
  const choice = screen.getByText('Choose')
  choice.focus()
  expect(document.activeElement).toBe(choice)
  fireEvent.click(choice)
  expect(document.activeElement).toBe(opener)
})
