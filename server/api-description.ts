import Fastify, { type FastifyContextConfig, type FastifyInstance, type RouteOptions } from 'fastify'
import { createJsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import packageJson from '#package.json' with { type: 'json' }
import { isHttps } from '#lib/http/is-https.ts'
import { REQUEST_KEY } from '#lib/http/idempotency-key.ts'
import { ANSWERS, refusal } from './api-answers.ts'
import { sessionCookie } from '#features/auth/cookies.ts'
import type { Deps } from './deps.ts'

/** Marks the operations of the admin in the description; each route's own permission decides about its call. */
const STAFF = 'staff'

/**
 * Collects the routes and serves the OpenAPI description of their schemas in two parts: the calls of the storefront at /api/docs (in
 * production to signed-in staff), and those that need a permission at /api/admin/docs, to signed-in staff. The description is made at
 * the first request, because its package takes a tenth of a start to load.
 */
export function apiDescription(app: FastifyInstance, deps: Deps): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  let description: Promise<Description> | undefined
  const describe = () =>
    (description ??= describeRoutes(routes, deps.env.publicUrl).catch((error: unknown) => {
      description = undefined
      throw error
    }))
  // In production for staff alone: it is long, and shoppers' browsers never ask for it.
  const access: FastifyContextConfig = deps.env.production ? { permission: 'admin.enter' } : {}
  app.get('/api/docs', { schema: { hide: true }, config: access }, async () => {
    const { components: _staffOnly, ...storefront } = partOf(await describe(), (operation) => !operation.security)
    return storefront
  })
  app.get('/api/admin/docs', { schema: { hide: true }, config: { permission: 'admin.enter' } }, async () =>
    partOf(await describe(), (operation) => operation.security !== undefined),
  )
}

/** The description of these routes, made by an app that has them without their handlers. */
async function describeRoutes(routes: readonly RouteOptions[], publicUrl: string): Promise<Description> {
  const { default: swagger } = await import('@fastify/swagger')
  const app = Fastify({ exposeHeadRoutes: false }).setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Khamar',
        version: packageJson.version,
        description: 'The calls of the shop. Money is a number of taka; refused calls answer {message, error, errors?}.',
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: { [STAFF]: { type: 'apiKey', in: 'cookie', name: sessionCookie(isHttps(publicUrl)) } },
      },
    },
    transform: transformRoute,
  })
  for (const { method, url, schema, config } of routes)
    if (method !== 'HEAD') app.route({ method, url, handler: () => {}, ...(schema && { schema }), ...(config && { config }) })
  await app.ready()
  return app.swagger() as Description
}

/** Writes what a schema takes. The package's own override is replaced, because it leaves out choices of a union that are transformed. */
const jsonSchemaTransform = createJsonSchemaTransform({
  zodToJsonConfig: {
    override: ({ zodSchema, jsonSchema }) => {
      if (!(zodSchema instanceof z.ZodObject)) return
      const { shape } = zodSchema as z.ZodObject<Record<string, z.ZodType>>
      // A preprocessed field counts as required for zod, also where it takes undefined.
      const required = jsonSchema.required?.filter((field) => shape[field]?.safeParse(undefined).success === false) ?? []
      if (required.length > 0) jsonSchema.required = required
      else delete jsonSchema.required
    },
  },
})

function transformRoute(route: Route): ReturnType<typeof jsonSchemaTransform> {
  // Calls have a summary; pages, files and forms without a script have none.
  if (route.schema?.summary === undefined) return { schema: { hide: true }, url: route.url }
  const isAdmin = route.route.config?.permission !== undefined
  const schema = { ...described(route), ...(isAdmin ? { security: [{ [STAFF]: [] }] } : {}) }
  return jsonSchemaTransform({ ...route, schema })
}

interface Operation {
  security?: unknown
}

interface Description {
  paths?: Record<string, Record<string, Operation>>
  components?: unknown
}

/** The description with the operations that `belongs` accepts, and without paths that have none of them. */
function partOf(whole: Description, belongs: (operation: Operation) => boolean): Description {
  const { paths = {} } = whole
  const parts = Object.entries(paths).map(
    ([path, operations]) => [path, Object.fromEntries(Object.entries(operations).filter(([, operation]) => belongs(operation)))] as const,
  )
  return { ...whole, paths: Object.fromEntries(parts.filter(([, operations]) => Object.keys(operations).length > 0)) }
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

/** A route's own schema, with what every call has in common, the forms that it takes and its answer. */
function described({ schema, url, route }: Route): Route['schema'] {
  const method = String(route.method)
  const { status = 200, body, forms } = ANSWERS[`${method} ${url}`] ?? {}
  const headers = { ...(method === 'GET' ? {} : token), ...(url === '/customer-orders' ? key : {}) }
  return {
    ...schema,
    ...(forms ? { consumes: ['application/json', ...forms] } : {}),
    ...(Object.keys(headers).length === 0 ? {} : { headers: z.object(headers) }),
    response: { ...(schema.response as object | undefined), ...(body ? { [status]: body } : {}), '4xx': refusal, '5xx': refusal },
  }
}
