import type { FastifyInstance } from 'fastify'

export type FormFields = Readonly<Record<string, string>>

/**
 * A urlencoded text as fields, or null when a key comes twice or there are too many. Of two `tran_id` one reader
 * takes the first and another the last; a payment must not depend on which.
 */
export function parseFields(text: string, most = 100): FormFields | null {
  const fields: Record<string, string> = Object.create(null)
  let count = 0
  for (const [key, value] of new URLSearchParams(text)) {
    if (key in fields || ++count > most) return null
    fields[key] = value
  }
  return fields
}

/** Makes urlencoded bodies of this part of the app strict: anything `parseFields` does not take is a 400. */
export function acceptStrictForms(app: FastifyInstance): void {
  const type = 'application/x-www-form-urlencoded'
  if (app.hasContentTypeParser(type)) app.removeContentTypeParser(type)
  app.addContentTypeParser(type, { parseAs: 'string' }, (_request, text, done) => {
    const fields = parseFields(text as string)
    if (fields) return done(null, fields)
    done(Object.assign(new Error('A field came twice, or there are too many.'), { statusCode: 400 }))
  })
}
