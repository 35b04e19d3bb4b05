// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import '#messages/en.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { laterPart } from './later-part.tsx'
import { pendingToasts } from './toast.tsx'

afterEach(cleanup)

const Photos = ({ name }: { name: string; onClose: () => void }) => <p>Photos of {name}</p>

it('a part whose code is lost says so and closes, and is loaded by the next press', async () => {
  let losses = 1
  const Later = laterPart(() => (losses-- > 0 ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(Photos)))
  let closed = 0
  const open = () =>
    render(
      <AppRoot shell={{ lang: 'en' } as PageContextValue}>
        <p>The list</p>
        <Later name="Honey" onClose={() => (closed += 1)} />
      </AppRoot>,
    )
  open()
  await waitFor(() => expect(closed).toBe(1))
  expect(pendingToasts().at(-1)?.text).toBe('Couldn’t load. Check your connection and try again.')
  expect(screen.getByText('The list')).toBeTruthy()
  cleanup()
  open()
  await screen.findByText('Photos of Honey')
  cleanup()
  open()
  expect(screen.getByText('Photos of Honey')).toBeTruthy()
  expect(closed).toBe(1)
})
