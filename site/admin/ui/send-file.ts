import { csrfToken, renewCsrfToken } from '#page/api-client.ts'
import type { PostResult } from './admin-post.ts'

/** Without progress or an answer for so long, the file is given up. */
const SILENCE_MS = 120_000
const BAD_TOKEN = 403

interface Sending {
  /** Gets the share that has left, 0 to 1. */
  onProgress?(share: number): void
}

/** Sends one file, telling how far it is; a token that went stale is renewed once. `status` is null when no answer came. */
export async function sendFile<Body>(url: string, file: Blob, name: string, sending: Sending = {}): Promise<PostResult<Body>> {
  const answer = await sendOnce<Body>(url, file, name, sending)
  if (!answer.ok && answer.status === BAD_TOKEN && (await renewCsrfToken())) return sendOnce(url, file, name, sending)
  return answer
}

/** Uses XMLHttpRequest: `fetch` reports no upload progress. */
function sendOnce<Body>(url: string, file: Blob, name: string, { onProgress }: Sending): Promise<PostResult<Body>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('x-csrf-token', csrfToken())
    request.responseType = 'json'
    const giveUp = () => request.abort()
    let silence = setTimeout(giveUp, SILENCE_MS)
    request.upload.addEventListener('progress', (event) => {
      clearTimeout(silence)
      silence = setTimeout(giveUp, SILENCE_MS)
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    })
    request.addEventListener('loadend', () => clearTimeout(silence))
    const lost = () => resolve({ ok: false, status: null, message: null, errors: {} })
    for (const end of ['error', 'abort']) request.addEventListener(end, lost)
    request.addEventListener('load', () => {
      if (request.status < 300 && request.response !== null) return resolve({ ok: true, body: request.response as Body })
      const refusal = request.response as { message?: string; errors?: Record<string, string[]> } | null
      resolve({ ok: false, status: request.status, message: refusal?.message ?? null, errors: refusal?.errors ?? {} })
    })
    const form = new FormData()
    form.append('file', file, name)
    request.send(form)
  })
}
