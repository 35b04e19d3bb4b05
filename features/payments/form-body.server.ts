import type { FastifyInstance } from 'fastify'

const MAX_FIELDS = 100

export type FormFields = Readonly<Record<string, string>>

/**
 * Parses a urlencoded text. Null when a key comes twice or there are more than 100. Parsers disagree on which of two `tran_id`
 * counts, so a payment must not depend on it.
 */
export function parseFields(text: string): FormFields | null {
  const fields: Record<string, string> = Object.create(null)
  let count = 0
  for (const [key, value] of new URLSearchParams(text)) {
    if (key in fields || ++count > MAX_FIELDS) return null
    fields[key] = value
  }
  return fields
}

/** Parses the urlencoded bodies of this plugin with `parseFields`; a body that fails is a 400. */
export function acceptStrictForms(app: FastifyInstance): void {
  const type = 'application/x-www-form-urlencoded'
  if (app.hasContentTypeParser(type)) app.removeContentTypeParser(type)
  app.addContentTypeParser(type, { parseAs: 'string' }, (_request, text, done) => {
    const fields = parseFields(text as string)
    if (fields) return done(null, fields)
    done(Object.assign(new Error('Duplicate field or too many fields.'), { statusCode: 400 }))
  })
}
