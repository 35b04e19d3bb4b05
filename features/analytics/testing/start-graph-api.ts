import Fastify from 'fastify'

export interface ReceivedEvents {
  pixelId: string
  body: { data: Record<string, unknown>[]; access_token: string; test_event_code?: string }
}

/** What the next request is answered with, instead of success: an error of the Graph API, a status without JSON, or silence. */
export type GraphFault = { status: number; code: number } | { status: number; text: string } | 'silence'

/** A simulator of the Graph API's `/{pixel}/events`. */
export async function startGraphApi() {
  const app = Fastify({ forceCloseConnections: true })
  const received: ReceivedEvents[] = []
  const faults: GraphFault[] = []
  app.post<{ Params: { pixel: string }; Body: ReceivedEvents['body'] }>('/v24.0/:pixel/events', async (request, reply) => {
    const fault = faults.shift()
    if (fault === 'silence') return new Promise(() => {})
    if (fault && 'text' in fault) return reply.code(fault.status).type('text/html').send(fault.text)
    if (fault) return reply.code(fault.status).send({ error: { message: 'refused', type: 'OAuthException', code: fault.code } })
    received.push({ pixelId: request.params.pixel, body: request.body })
    return { events_received: request.body.data.length, messages: [], fbtrace_id: 'trace' }
  })
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/v24.0`
  return { url, received, faults, close: () => app.close() }
}
