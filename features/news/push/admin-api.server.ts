import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Permission } from '#features/auth/permissions.ts'
import { NEWS, NEWS_KINDS } from '../rules.ts'
import { areDeviceKeys } from './encrypt-push.server.ts'
import { deviceBody, endpointBody } from './forms.ts'
import { type PushKeyDeps, pushKeys } from './push-keys.server.ts'
import { isPushEndpoint } from './push-rules.ts'
import type { PushOptions } from './push-service.server.ts'
import { deleteDevice, storeDevice } from './subscriptions.server.ts'

/** A role needs one kind of news to be notified. */
const permission: readonly Permission[] = [...new Set(NEWS_KINDS.map((kind) => NEWS[kind].permission))]
const tags = ['admin']

/** The routes by which a member of staff switches the notifications of a device on and off. */
export function pushApi(deps: PushKeyDeps & { push: PushOptions }): FastifyPluginAsyncZod {
  const { db, push } = deps
  return async (app) => {
    app.get(
      '/api/admin/push',
      { config: { permission }, schema: { tags, summary: 'The public key for the notifications of a device' } },
      async () => ({ key: (await pushKeys(deps)).publicKey.toString('base64url') }),
    )

    app.post(
      '/api/admin/push',
      { config: { permission }, schema: { tags, summary: 'Notify a device', body: deviceBody } },
      async ({ staff, viewer, body: { endpoint, keys } }, reply) => {
        if (!isPushEndpoint(endpoint, push.simulator) || !areDeviceKeys(keys)) return reply.fail(422, 'news.push-unsupported')
        await storeDevice(db, { userId: staff.id, sessionId: viewer.user!.session.id, endpoint, ...keys, lang: viewer.lang })
        return { ok: true }
      },
    )

    app.delete(
      '/api/admin/push',
      { config: { permission }, schema: { tags, summary: 'Notify a device no more', body: endpointBody } },
      async ({ staff, body }) => {
        await deleteDevice(db, staff.id, body.endpoint)
        return { ok: true }
      },
    )
  }
}
