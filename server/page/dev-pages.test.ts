import { afterEach, expect, it, vi } from 'vitest'
import { newDatabase } from '#test/db.ts'
import { shared } from '#test/shared.ts'
import { startServer } from '#test/start-server.ts'
import { builtPages, type PageSource } from './assets.ts'

// `npm run dev` on a slow machine: Vite transforms every module before the first page.

const MODULES_TAKE_MS = 90_000

afterEach(() => void vi.useRealTimers())

it('answers the first page when Vite has transformed its modules', async () => {
  await shared('pages')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const render = await builtPages().renderer()
  const isRequested = Promise.withResolvers<void>()
  const isTransformed = Promise.withResolvers<void>()
  const slowPages: PageSource = {
    ...builtPages(),
    middleware: (_req, _res, next) => next(),
    renderer: async () => {
      isRequested.resolve()
      await isTransformed.promise
      return render
    },
  }
  const database = await newDatabase()
  const shop = await startServer({ databaseUrl: database.url, pages: slowPages })
  try {
    const answer = fetch(`${shop.deps.env.publicUrl}/login`)
    await isRequested.promise
    vi.advanceTimersByTime(MODULES_TAKE_MS)
    isTransformed.resolve()
    expect((await answer).status).toBe(200)
  } finally {
    await shop.close()
    await database.drop()
  }
})
