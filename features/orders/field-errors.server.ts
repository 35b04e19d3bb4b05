import type { FastifyReply } from 'fastify'

/** Replies 422 with texts by field; the form shows them at its fields. */
export function replyFieldErrors(reply: FastifyReply, errors: Record<string, string[]>): FastifyReply | Promise<FastifyReply> {
  return reply.fail(422, 'admin-orders.check-form', { errors })
}
