import { z } from 'zod'

const share = z.number({ error: 'field.whole' }).min(0, { error: 'field.whole' }).max(1, { error: 'field.whole' })
const MIN_SHARE = 0.02

/** The part of a picture to crop: a rectangle in shares of width and height, from the left and the top. */
export const cropBody = z
  .strictObject({ x: share, y: share, width: share.min(MIN_SHARE), height: share.min(MIN_SHARE) })
  .refine(({ x, width }) => x + width <= 1.0001, { path: ['width'], error: 'field.whole' })
  .refine(({ y, height }) => y + height <= 1.0001, { path: ['height'], error: 'field.whole' })
