import { emptyBody } from '#lib/form-fields.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { stopCampaigns } from '#features/campaigns/stop-link.server.ts'
import { isForm } from '#lib/http/request-kind.server.ts'
import type { Deps } from '../deps.ts'

/** Ends campaigns for the person of a link. Repeated calls change nothing. The page shows the state (`site/store/stop`). */
export function stopRoutes({ db }: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/stop/:token',
      {
        config: { page: true, rateLimit: { max: 30, timeWindow: '1 minute' } },
        schema: {
          tags: ['messages'],
          summary: 'Send no more campaigns to the person of a link',
          params: z.object({ token: z.string().max(100) }),
          body: emptyBody,
        },
      },
      async (request, reply) => {
        const { params } = request
        if (!(await stopCampaigns(db, params.token))) return reply.fail(404, 'error.not-found')
        reply.header('cache-control', 'no-store')
        return isForm(request) ? reply.redirect(`/stop/${params.token}`, 303) : { stopped: true }
      },
    )
  }
}
