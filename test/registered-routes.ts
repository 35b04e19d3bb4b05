import diagnostics from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'

/** The routes of every app that is built after this module was loaded, with their schemas and limits. */
export const registeredRoutes: RouteOptions[] = []

diagnostics.subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', (route) => void registeredRoutes.push(route))
})
