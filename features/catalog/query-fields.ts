// Fields of the query string that the public product routes share.
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MAX_PRICE_TAKA } from './limits.ts'

/** A whole number, strictly: "12abc", "1e9" and repeated keys are errors. */
export const wholeNumberField = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'field.whole')
    .transform(Number)
    .refine((n) => n >= min && n <= max, 'field.whole')

/** A price in taka. */
export const priceField = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,2})?$/, 'field.taka')
  .transform(Number)
  .refine((n) => n <= MAX_PRICE_TAKA, 'field.taka')

/** Removes empty values: an untouched form sends `?minPrice=&sort=`. */
export function dropEmptyQuery(request: FastifyRequest): void {
  const query = request.query as Record<string, unknown>
  for (const name of Object.keys(query)) if (query[name] === '') delete query[name]
}
