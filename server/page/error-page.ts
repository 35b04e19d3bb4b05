import type { FastifyReply, FastifyRequest } from 'fastify'
import { translate, type MessageKey } from '#lib/i18n.ts'
import type { Pages } from './pages.ts'

const KNOWN = [403, 404, 410, 500, 503] as const
export type ErrorStatus = (typeof KNOWN)[number]

/** The friendly page of a refusal or a failure, in the visitor's language. */
export async function sendErrorPage(pages: Pages, request: FastifyRequest, reply: FastifyReply, status: number): Promise<FastifyReply> {
  const shown: ErrorStatus = KNOWN.find((known) => known === status) ?? (status >= 500 ? 500 : 404)
  const title = translate(request.viewer.lang)(`error.page.${shown}.title` as 'error.page.404.title' & MessageKey)
  return pages.send(request, reply, 'store/error', { status, props: { status: shown, reference: status >= 500 ? request.id : null }, head: { title, canonical: null } })
}
