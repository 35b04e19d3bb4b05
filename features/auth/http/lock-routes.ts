import { isForm } from '#lib/http/request-kind.server.ts'
import { emptyBody } from '#lib/form-fields.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { unlockBody } from '../forms.ts'
import { canLock, pinProblem, readPin } from '../lock-rules.ts'
import { hasPin, lockSession, unlockByPassword, unlockByPin } from '../session-lock.server.ts'
import { localPath } from '#lib/http/local-path.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import type { ZodApp } from '#lib/http/zod-app.ts'
import { type AuthResponder, invalid, tooManyTries } from './auth-responder.ts'

const tags = ['identity']

/** Routes that lock a staff session and unlock it by PIN, or by password with a new PIN. */
export function lockRoutes(responder: AuthResponder): FastifyPluginAsyncZod {
  return async (app) => {
    lockRoute(app, responder)
    unlockRoute(app, responder)
    unlockPageRoute(app, responder)
  }
}

function lockRoute(app: ZodApp, responder: AuthResponder): void {
  const { deps } = responder
  app.post('/account/lock', { schema: { tags, summary: 'Lock this session of the staff', body: emptyBody } }, async (request, reply) => {
    const { locked } = request.viewer
    const user = locked ?? responder.requireUser(request, reply, '/admin')
    if (!user) return reply
    if (!canLock(user.role)) return reply.fail(403, 'error.not-allowed')
    if (!locked) await lockSession(deps.db, user.session.id, deps.now())
    return responder.redirect(request, reply, '/unlock', { locked: true })
  })
}

function unlockRoute(app: ZodApp, responder: AuthResponder): void {
  const { deps } = responder
  app.post(
    '/unlock',
    { config: { page: true }, schema: { tags, summary: 'Unlock this session by PIN, or by password with a new PIN', body: unlockBody } },
    async (request, reply) => {
      const { locked: user } = request.viewer
      const next = localPath(request.body.next, null) ?? '/admin'
      if (!user) return responder.requireUser(request, reply, next) ? responder.redirect(request, reply, next) : reply
      const { password } = request.body
      const [pin, newPin] = [readPin(request.body.pin), readPin(request.body.new_pin)]
      const byPassword = password !== '' || newPin !== ''
      const page = async () => ({
        page: 'admin/lock/unlock',
        title: 'lock.title' as const,
        props: { next, name: user.name, hasPin: !byPassword && (await hasPin(deps.db, user.id)) },
      })
      const problem = byPassword ? pinProblem(newPin) : null
      const errors: Record<string, MessageKey> = {}
      if (byPassword && password === '') errors.password = 'lock.password-required'
      if (problem) errors.new_pin = problem
      if (!byPassword && pin === '') errors.pin = 'lock.pin-required'
      if (Object.keys(errors).length > 0) return responder.renderFormErrors(request, reply, invalid(errors), await page())
      return responder.withHashing(request, reply, await page(), async () => {
        const result = byPassword
          ? await unlockByPassword(deps, user, { password, newPin, ip: request.ip, now: deps.now() })
          : await unlockByPin(deps, user, pin, deps.now())
        if (result.ok) return responder.redirect(request, reply, next)
        switch (result.reason) {
          case 'too-many':
            return responder.renderFormErrors(request, reply, tooManyTries(result.retryAfter), await page())
          case 'ended':
            await responder.endSession(request, reply)
            if (isForm(request)) return reply.redirect(`/login?next=${encodeURIComponent(next)}`, 303)
            return reply.fail(401, 'lock.ended')
          case 'no-pin':
            return responder.renderFormErrors(request, reply, invalid({ new_pin: 'lock.pin-format' }), await page())
          case 'wrong': {
            const wrong: Record<string, MessageKey> = byPassword ? { password: 'lock.password-wrong' } : { pin: 'lock.pin-wrong' }
            return responder.renderFormErrors(request, reply, { status: 422, key: 'error.invalid', errors: wrong }, await page())
          }
        }
      })
    },
  )
}

function unlockPageRoute(app: ZodApp, responder: AuthResponder): void {
  const { deps } = responder
  app.get('/unlock', { config: { page: true } }, async (request, reply) => {
    const { locked, user } = request.viewer
    const next = localPath((request.query as { next?: string }).next, null) ?? '/admin'
    if (!locked) return reply.redirect(user ? next : `/login?next=${encodeURIComponent(next)}`, 303)
    const props = { next, name: locked.name, hasPin: await hasPin(deps.db, locked.id), errors: {}, problem: null }
    return responder.renderForm(request, reply, { page: 'admin/lock/unlock', title: 'lock.title', props })
  })
}
