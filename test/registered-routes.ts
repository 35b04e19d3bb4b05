import diagnostics from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'

/** The routes of the latest app that was built, with their schemas and limits. Test files of one worker share this module. */
export const registeredRoutes: RouteOptions[] = []

diagnostics.subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  registeredRoutes.length = 0
  fastify.addHook('onRoute', (route) => void registeredRoutes.push(route))
})
