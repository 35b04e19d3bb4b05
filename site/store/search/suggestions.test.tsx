// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { expect, it, onTestFinished } from 'vitest'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE, stubServer } from '../../admin/ui/testing.tsx'
import { Suggestions } from './suggestions.tsx'

cleanUpAfterEach()

const MANGO = { id: 1, name: 'Mango', status: 'in-stock', price: 120, unit: 'kg', picture: null, tag_number: null, weight_kg: null }

/** Does something after the render of what is beside it, and before its effects. */
function AfterRender({ run }: { run: () => void }) {
  useLayoutEffect(run)
  return null
}

it('counts a letter that is typed while the suggestions load', async () => {
  stubServer({ status: 200, body: { products: [MANGO] } })
  const input = document.createElement('input')
  document.body.append(input)
  onTestFinished(() => input.remove())
  input.value = 'm'
  const type = () => {
    input.value = 'ma'
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  render(
    <AppRoot shell={PAGE}>
      <Suggestions input={input} />
      <AfterRender run={type} />
    </AppRoot>,
  )
  expect(await screen.findByText('Mango')).toBeTruthy()
})
