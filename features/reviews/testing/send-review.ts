import sharp from 'sharp'
import type { Answer, Visitor } from '#test/visitor.ts'
import type { OwnReview } from '../types.ts'

export type SentReview = Record<string, string | number | Buffer | Buffer[]>

/** Sends a review as the page does: a multipart form, whose buffers are pictures. */
export async function sendReview(who: Visitor, orderId: number | string, fields: SentReview, suffix = ''): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? value : [value])
      if (Buffer.isBuffer(one)) form.append(name, new Blob([new Uint8Array(one)], { type: 'image/jpeg' }), 'x.jpg')
      else form.append(name, String(one))
  const request = new Response(form)
  const headers = {
    'content-type': request.headers.get('content-type')!,
    accept: 'application/json',
    'x-csrf-token': await who.token(),
  }
  return who.send('POST', `/orders/${orderId}/reviews${suffix}`, Buffer.from(await request.arrayBuffer()), { headers })
}

/** The reviews that an answer lists. */
export function ownReviews(answer: Answer): OwnReview[] {
  return (answer.body as unknown as { reviews: OwnReview[] }).reviews
}

/** A small JPEG. */
export function reviewPhoto(): Promise<Buffer> {
  return sharp({ create: { width: 200, height: 200, channels: 3, background: '#a05030' } })
    .jpeg()
    .toBuffer()
}
