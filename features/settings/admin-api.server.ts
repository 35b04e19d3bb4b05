import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { LIST_BODY, MESSAGES_BODY } from '#lib/http/body-limits.ts'
import type { Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { changeSettings } from './commands.server.ts'
import { SETTINGS_FORMS } from './forms.ts'
import { SETTINGS_PARTS, type SettingsPart, type SettingsValues } from './sections.ts'

/** Where customers send money, and who gets in. */
const PROVEN_PARTS: ReadonlySet<SettingsPart> = new Set(['payments', 'security'])
const settingsHash = z.string({ error: 'field.version' }).max(64)

/** Routes that change the parts of the settings. */
export function settingsApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    for (const part of SETTINGS_PARTS) {
      app.post(
        `/admin/settings/${part}`,
        {
          bodyLimit: part === 'messages' ? MESSAGES_BODY : LIST_BODY,
          config: {
            permission: 'settings.write',
            invalidatesCache: true,
            ...(PROVEN_PARTS.has(part) ? { recentProofFor: `/admin/settings?part=${part}` } : {}),
          },
          schema: { tags: ['admin'], summary: `Change the settings: ${part}`, body: SETTINGS_FORMS[part].extend({ settingsHash }) },
        },
        async ({ staff, viewer, body }, reply) => {
          const { settingsHash, ...values } = body as SettingsValues & { settingsHash: string }
          const changed = await changeSettings(db, staff, part, settingsHash, values)
          if (changed.ok) return changed.now
          if (changed.reason === 'stale') return reply.fail(409, 'admin.stale')
          if (changed.reason === 'no-area-day') {
            const text = translate(viewer.lang)('settings.weekdays-area', {
              names: changed.areas.map((area) => area[viewer.lang]).join(', '),
            })
            return reply.fail(422, 'error.invalid', { errors: { 'delivery_days.closed_weekdays': [text] } })
          }
          const field = changed.reason === 'no-logo' ? 'logo' : 'certificates'
          return reply.fail(422, 'error.invalid', { errors: { [field]: [translate(viewer.lang)('settings.no-logo')] } })
        },
      )
    }
  }
}
