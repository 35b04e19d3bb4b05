import type { FastifyRequest } from 'fastify'

/**
 * The text fields of a form that a browser sent as multipart. A field that comes twice becomes a list and a file an object, which
 * no form here takes. A body that is no such form is a 400.
 */
export async function readMultipart(request: FastifyRequest, body: Buffer): Promise<Record<string, unknown>> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
    throw Object.assign(new Error('not a form'), { statusCode: 400 })
  })
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name)
    fields[name] = values.length === 1 ? values[0] : values
  }
  return fields
}
