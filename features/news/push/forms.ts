import { z } from 'zod'
import { isStorable } from '#lib/format/text.ts'
import { MAX_ENDPOINT_LENGTH } from './push-rules.ts'

const endpoint = z.string().min(1).max(MAX_ENDPOINT_LENGTH).refine(isStorable)
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/)
    .transform((text) => Buffer.from(text, 'base64url'))

/** Body of POST /api/admin/push: the subscription of a browser, its keys as base64url. */
export const deviceBody = z.strictObject({
  endpoint,
  keys: z.strictObject({ p256dh: bytes(90), auth: bytes(30) }),
})

export const endpointBody = z.strictObject({ endpoint })
