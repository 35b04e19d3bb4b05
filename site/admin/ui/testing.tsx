import { cleanup, configure, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, vi } from 'vitest'
import '#messages/en-admin.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'

// Renders parts of the admin in a DOM, for component tests. Import it in files with `@vitest-environment happy-dom`.

// A busy machine needs longer than the library's standard of one second.
configure({ asyncUtilTimeout: 10_000 })

const SHOP = { name: 'Khamar', motto: '', phone: '', whatsapp: '', email: '', address: '', hours: '', licence: '', logo: null }

const USER = { id: 1, name: 'Rahim', role: 'owner' }

export const PAGE: PageContextValue = {
  lang: 'en',
  path: '/admin/areas/5',
  user: USER,
  shop: SHOP,
  csrfToken: '',
  announcement: '',
  categories: [],
  payments: [],
  isClosed: false,
  sendsSms: true,
  demo: false,
}

export function renderInPage(content: ReactNode, path = PAGE.path) {
  return render(<AppRoot shell={{ ...PAGE, path }}>{content}</AppRoot>)
}

export interface SentRequest {
  url: string
  method: string
  body: unknown
}

/**
 * Replaces `fetch` for one test: the answers in their order, and the requests that were sent. `null` is a lost connection. The poll for news,
 * which begins after a second, takes none of the answers.
 */
export function stubServer(...answers: ({ status: number; body: unknown } | null)[]): SentRequest[] {
  const sent: SentRequest[] = []
  vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
    if (String(url) === '/api/admin/news') return new Response(null, { status: 304 })
    sent.push({ url: String(url), method: init.method ?? 'GET', body: init.body ? JSON.parse(String(init.body)) : undefined })
    const answer = answers.shift()
    if (!answer) throw new TypeError('connection lost')
    return Response.json(answer.body, { status: answer.status })
  })
  return sent
}

/** Call it in every test file: files share their modules, so that a hook of this module would run in one file only. */
export function cleanUpAfterEach(): void {
  afterEach(() => {
    cleanup()
    sessionStorage.clear()
    vi.unstubAllGlobals()
  })
}
