import { call } from '#site/api-client.ts'

/** What came of a write: done, refused with texts for fields, or why not. */
export type Written<Body> =
  | { ok: true; body: Body }
  | { ok: false; status: number | null; message: string | null; errors: Record<string, string[]> }

interface Refusal {
  message?: string
  errors?: Record<string, string[]>
}

/** Sends a change to the server; `status` is null when no answer came. */
export async function adminPost<Body = unknown>(
  url: string,
  body: unknown,
  options: { method?: 'POST' | 'PUT' | 'DELETE'; timeoutMs?: number } = {},
): Promise<Written<Body>> {
  const answer = await call<Body & Refusal>(url, {
    method: options.method ?? 'POST',
    body,
    ...(options.timeoutMs ? { timeoutMs: options.timeoutMs } : {}),
  })
  if (answer.noResponse) return { ok: false, status: null, message: null, errors: {} }
  if (answer.ok) return { ok: true, body: answer.body }
  return { ok: false, status: answer.status, message: answer.body?.message ?? null, errors: answer.body?.errors ?? {} }
}
