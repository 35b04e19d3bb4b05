import { vi } from 'vitest'

interface SentKeys {
  key: string | undefined
  earlier: string[]
}

/** The idempotency keys of the requests to `stubServer`, which must be called before. */
export function recordKeys(): SentKeys[] {
  const keys: SentKeys[] = []
  const send = globalThis.fetch
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    const headers = init.headers as Record<string, string>
    if (init.method === 'POST') keys.push({ key: headers['idempotency-key'], earlier: headers['x-earlier-keys']?.split(' ') ?? [] })
    return send(url, init)
  })
  return keys
}
