// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Scanning } from './scanning.tsx'
import type { StockTakeModel } from './use-stock-take.ts'

cleanUpAfterEach()

it.each([
  ['signed-out', true],
  ['offline', false],
] as const)('counts that wait because of %s lead to the login in another tab: %s', (problem, isShown) => {
  stubServer()
  const model = { waiting: { count: 1, problem }, drafts: { all: () => [], restore: () => {} }, scan: () => {} }
  renderInPage(<Scanning model={model as unknown as StockTakeModel} scales={[]} />, '/admin/stock-takes/1')
  const links = screen.queryAllByRole('link', { name: 'Log in again' })
  expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('target')])).toEqual(
    isShown ? [['/login?next=%2Fadmin%2Fstock-takes%2F1', '_blank']] : [],
  )
})
