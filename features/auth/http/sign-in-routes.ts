import { isForm } from '#lib/http/request-kind.server.ts'
import { emptyBody } from '#lib/form-fields.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { signIn } from '../commands.server.ts'
import { phoneBody, readPhone, readRegistration, registerBody, signInBody } from '../forms.ts'
import { expectRoomToHash, hashPassword } from '../passwords.server.ts'
import { requestCode } from '../request-code.server.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { localPath } from '#lib/http/local-path.ts'
import type { ZodApp } from '#lib/http/zod-app.ts'
import { type AuthResponder, codeErrors, invalid } from './auth-responder.ts'

const tags = ['identity']

/** Routes that sign in by password or code, register, reset a forgotten password, and sign out. */
export function signInRoutes(responder: AuthResponder): FastifyPluginAsyncZod {
  return async (app) => {
    loginRoute(app, responder)
    codeRequestRoutes(app, responder)
    registerRoute(app, responder)
    logoutRoute(app, responder)
  }
}

function loginRoute(app: ZodApp, responder: AuthResponder): void {
  const { deps } = responder
  app.post(
    '/login',
    { config: { page: true }, schema: { tags, summary: 'Sign in by phone or email and password', body: signInBody } },
    async (request, reply) => {
      const { identifier, password, code, ...form } = request.body
      const next = localPath(form.next, null)
      const props = { way: 'password', identifier, phone: '', next, askFactor: code !== '' } as const
      const page = { page: 'store/account/login', title: 'auth.title', props } as const
      const errors: Record<string, MessageKey> = {}
      if (!identifier.trim()) errors.identifier = 'auth.identifier-required'
      if (!password) errors.password = 'auth.password-required'
      if (Object.keys(errors).length > 0) return responder.renderFormErrors(request, reply, invalid(errors), page)
      return responder.withHashing(request, reply, page, async () => {
        const knownCookie = responder.knownCookie(request)
        const result = await signIn(deps, {
          identifier,
          password,
          code,
          knownCookie,
          ...responder.sessionStart(request),
          nextPath: next ?? '',
        })
        if (result.ok) return responder.signInAndRedirect(request, reply, result.entry)
        if (result.reason === 'too-many')
          return responder.renderFormErrors(
            request,
            reply,
            { status: 429, key: isForm(request) && deps.sms.canSend ? 'auth.too-many' : 'error.too-many', retryAfter: result.retryAfter },
            { ...page, props: { ...props, askFactor: true } },
          )
        if (isForm(request)) return responder.renderFormErrors(request, reply, { status: 422, key: 'auth.wrong' }, page)
        return responder.renderFormErrors(request, reply, { status: 422, key: 'auth.wrong', errors: { identifier: 'auth.wrong' } }, page)
      })
    },
  )
}

function codeRequestRoutes(app: ZodApp, responder: AuthResponder): void {
  const { deps } = responder
  for (const [url, purpose] of [
    ['/login/code', 'sign-in'],
    ['/forgot-password', 'new-password'],
  ] as const) {
    app.post(
      url,
      { config: { page: true }, schema: { tags, summary: `Ask for a code by SMS: ${purpose}`, body: phoneBody } },
      async (request, reply) => {
        const next = localPath(request.body.next, null)
        const props = { way: 'code', identifier: '', phone: request.body.phone, next, askFactor: false }
        const page =
          purpose === 'sign-in'
            ? ({ page: 'store/account/login', title: 'auth.title', props } as const)
            : ({ page: 'store/account/forgot-password', title: 'auth.forgot-title', props } as const)
        const phone = readPhone(request.body.phone)
        if (!phone.ok) return responder.renderFormErrors(request, reply, invalid({ phone: phone.reason }), page)
        const result = await requestCode(deps, await responder.codeRequester(request), {
          purpose,
          phone: phone.value,
          nextPath: next ?? '',
        })
        if (!result.ok) return responder.renderFormErrors(request, reply, codeErrors(result), page)
        return responder.startChallenge(request, reply, result.token)
      },
    )
  }
}

function registerRoute(app: ZodApp, responder: AuthResponder): void {
  const { deps } = responder
  app.post(
    '/register',
    { config: { page: true }, schema: { tags, summary: 'Register: send a code to the phone', body: registerBody } },
    async (request, reply) => {
      const { name, phone, email } = request.body
      const next = localPath(request.body.next, null)
      const page = {
        page: 'store/account/register',
        title: 'auth.register-title',
        props: { values: { name, phone, email }, next },
      } as const
      const read = readRegistration(request.body)
      if (!read.ok) return responder.renderFormErrors(request, reply, { status: 422, key: 'error.invalid', errors: read.errors }, page)
      const { password, ...person } = read.value
      return responder.withHashing(request, reply, page, async () => {
        expectRoomToHash('new')
        const result = await requestCode(deps, await responder.codeRequester(request), {
          purpose: 'register',
          phone: person.phone,
          details: async () => ({ name: person.name, email: person.email, passwordHash: await hashPassword(password) }),
          nextPath: next ?? '',
        })
        if (!result.ok) return responder.renderFormErrors(request, reply, codeErrors(result), page)
        return responder.startChallenge(request, reply, result.token)
      })
    },
  )
}

function logoutRoute(app: ZodApp, responder: AuthResponder): void {
  app.post('/logout', { schema: { tags, summary: 'Sign out', body: emptyBody } }, async (request, reply) => {
    await responder.endSession(request, reply)
    return responder.redirect(request, reply, '/')
  })
}
