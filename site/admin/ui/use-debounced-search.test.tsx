// @vitest-environment happy-dom
import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE } from './testing.tsx'
import { useDebouncedSearch } from './use-debounced-search.ts'

cleanUpAfterEach()

/** A server whose answers come when the test gives them, by the searched text. */
function slowServer() {
  const answers = new Map<string, (rows: string[]) => void>()
  vi.stubGlobal('fetch', (url: string) => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    answers.set(url.replace(/.*=/, ''), (rows) => resolve(Response.json(rows)))
    return promise
  })
  return async (text: string, rows: string[]) => {
    await waitFor(() => expect(answers.has(text)).toBe(true))
    await act(async () => answers.get(text)!(rows))
  }
}

const openSearch = () =>
  renderHook(() => useDebouncedSearch('/search?q=', (rows: string[]) => rows), {
    wrapper: ({ children }) => <AppRoot shell={PAGE}>{children}</AppRoot>,
  }).result

it('a late answer to an earlier text does not replace that of the last one', async () => {
  const answer = slowServer()
  const view = openSearch()
  act(() => view.current.search('ma'))
  await new Promise((resolve) => setTimeout(resolve, 250))
  act(() => view.current.search('mango'))
  await answer('mango', ['Mango'])
  await answer('ma', ['Mash', 'Mango'])
  expect(view.current.found).toEqual(['Mango'])
})

it('an answer that comes after the text was deleted is dropped', async () => {
  const answer = slowServer()
  const view = openSearch()
  act(() => view.current.search('mango'))
  await new Promise((resolve) => setTimeout(resolve, 250))
  act(() => view.current.search(''))
  await answer('mango', ['Mango'])
  expect(view.current.found).toEqual([])
})
