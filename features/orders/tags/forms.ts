import { z } from 'zod'
import { idField } from '#lib/form-fields.ts'
import { isStorable } from '#lib/format/text.ts'
import { MAX_ORDER_TAGS, MAX_TAG_LENGTH, MAX_TAGGED_ORDERS, normalizeTag } from './tag-rules.ts'

const tag = z
  .string({ error: 'field.required' })
  .max(4 * MAX_TAG_LENGTH, { error: 'admin-orders.tag-long', abort: true })
  .refine(isStorable, { error: 'field.text' })
  .transform(normalizeTag)
  .refine((text) => text !== '', { error: 'field.required' })
  .refine((text) => text.length <= MAX_TAG_LENGTH, { error: 'admin-orders.tag-long' })

const tags = z.array(tag, { error: 'field.required' }).max(MAX_ORDER_TAGS, { error: 'admin-orders.tags-many' }).default([])

/** Body of POST /admin/orders/tags. */
export const tagsBody = z
  .strictObject({
    orders: z.array(idField()).min(1).max(MAX_TAGGED_ORDERS),
    add: tags,
    remove: tags,
  })
  .refine(({ add, remove }) => add.length + remove.length > 0, { path: ['add'], error: 'field.required' })
