import type { FastifyReply, FastifyRequest } from 'fastify'
import { isAdminPath } from '#features/auth/admin-path-rules.ts'
import { isStaff } from '#features/auth/permissions.ts'
import { translate, type MessageKey } from '#lib/i18n/translate.ts'
import type { PageRenderer } from './page-renderer.ts'

const KNOWN = [403, 404, 410, 500, 503] as const

/** Renders the error page in the visitor's language: the status's text, or `message` for an error of this request. */
export async function sendErrorPage(
  pages: PageRenderer,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message: string | null,
): Promise<FastifyReply> {
  const { user } = request.viewer
  const known = KNOWN.find((code) => code === status)
  const shown = status >= 500 ? (known ?? 500) : message === null && known ? known : 'refused'
  const title = translate(request.viewer.lang)(`error.page.${shown}.title` as 'error.page.404.title' & MessageKey)
  return pages.send(request, reply, 'store/error', {
    status,
    props: {
      status,
      kind: shown,
      message: shown === 'refused' ? message : null,
      canReload: request.method === 'GET',
      canGoBack: request.method === 'POST' && isOpenable(request) && (shown === 'refused' || status >= 500),
      isAdmin: isAdminPath(request.url) && user !== null && isStaff(user.role),
      reference: status >= 500 ? request.id : null,
    },
    head: { title, canonical: null },
  })
}

/**
 * Whether the address of a form can be opened too: it shows the form, or leads to its page (`server/routes/form-pages.ts`). Forms of other
 * sites, as of a payment page, have theirs there.
 */
function isOpenable({ server, routeOptions: { url, config } }: FastifyRequest): boolean {
  return url !== undefined && config.antiForgery !== false && server.hasRoute({ method: 'GET', url })
}
