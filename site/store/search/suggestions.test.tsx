// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { expect, it } from 'vitest'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE, stubServer } from '../../admin/ui/testing.tsx'
import { Suggestions } from './suggestions.tsx'

cleanUpAfterEach()

const MANGO = { id: 1, name: 'Mango', status: 'in-stock', price: 120, unit: 'kg', picture: null, tag_number: null, weight_kg: null }

/** Types the last letter after the render of the suggestions, and before they listen to the field. */
function LateLetter({ input }: { input: HTMLInputElement }) {
  useLayoutEffect(() => {
    input.value = 'ma'
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }, [input])
  return null
}

it('counts a letter that is typed while the suggestions load', async () => {
  stubServer({ status: 200, body: { products: [MANGO] } })
  const input = document.createElement('input')
  document.body.append(input)
  input.value = 'm'
  render(
    <AppRoot shell={PAGE}>
      <Suggestions input={input} />
      <LateLetter input={input} />
    </AppRoot>,
  )
  expect(await screen.findByText('Mango')).toBeTruthy()
})
