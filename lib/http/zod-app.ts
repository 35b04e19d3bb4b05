import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'

/** A Fastify instance whose routes take zod schemas. */
export type ZodApp = Parameters<FastifyPluginAsyncZod>[0]
