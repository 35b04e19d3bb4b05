// @vitest-environment happy-dom
import { fireEvent, render } from '@testing-library/react'
import { expect, it } from 'vitest'
import '#messages/bn-admin.ts'
import { AppRoot } from '#page/page-context.tsx'
import { useFrame } from './frame.tsx'
import { cleanUpAfterEach, PAGE } from './testing.tsx'

cleanUpAfterEach()

function Search() {
  useFrame()
  return (
    <form>
      <input name="tag" required />
    </form>
  )
}

it('names an empty required field in the language of the page, until the next press', () => {
  const { container } = render(
    <AppRoot shell={{ ...PAGE, lang: 'bn' }}>
      <Search />
    </AppRoot>,
  )
  const form = container.querySelector('form')!
  const field = container.querySelector('input')!
  expect(form.reportValidity()).toBe(false)
  expect(field.validationMessage).toBe('এই ঘরটি পূরণ করুন।')
  // A scanner's text is set by the page, without an input event.
  field.value = 'K-101'
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(form.reportValidity()).toBe(true)
})
