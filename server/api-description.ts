import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { REQUEST_KEY } from '#lib/request-key.ts'
import { ANSWERS, refusal } from './api-answers.ts'
import type { Deps } from './deps.ts'

/** Collects the OpenAPI description from the routes' own schemas and serves it. */
export async function apiDescription(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Khamar',
        version: '0.1.0',
        description: 'The calls of the shop. Money is a number of taka; refused calls answer {message, error, errors?}.',
      },
      servers: [{ url: deps.env.publicUrl }],
    },
    transform: (route) => {
      const isCall =
        /^\/(api\/|customer-orders|order-store|coupons\/|address\/|mark-popup-shown|login|logout|register|forgot-password|code|account\/|orders\/|payments\/status|language|csrf-token|healthz|readyz)/.test(
          route.url,
        ) ||
        (route.url.startsWith('/admin/') && route.route.config?.page !== true)
      return isCall ? jsonSchemaTransform({ ...route, schema: described(route) }) : { schema: { hide: true }, url: route.url }
    },
  })
  app.get('/api/docs', { schema: { hide: true } }, async () => app.swagger())
}

type Route = Parameters<typeof jsonSchemaTransform>[0]

const token = { 'x-csrf-token': z.string().describe('From the page’s meta element or GET /csrf-token; a field `_token` does as well') }
const key = {
  'idempotency-key': z
    .string()
    .regex(REQUEST_KEY)
    .optional()
    .describe('The same key with the same body is the same order, with the same answer; with another body it is a 409'),
}

/** A route's own schema, with what every call has in common and with its answer. */
function described({ schema, url, route }: Route): Route['schema'] {
  const method = String(route.method)
  const { status = 200, body } = ANSWERS[`${method} ${url}`] ?? {}
  const headers = { ...(method === 'GET' ? {} : token), ...(url === '/customer-orders' ? key : {}) }
  return {
    ...schema,
    ...(Object.keys(headers).length === 0 ? {} : { headers: z.object(headers) }),
    response: { ...(body ? { [status]: body } : {}), '4xx': refusal },
  }
}
