import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
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
      return isCall ? jsonSchemaTransform(route) : { schema: { hide: true }, url: route.url }
    },
  })
  app.get('/api/docs', { schema: { hide: true } }, async () => app.swagger())
}
