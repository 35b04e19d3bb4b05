import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { signIn } from '#features/auth/commands.server.ts'
import { nothingBody, phoneBody, readPhone, readRegistration, registerBody, signInBody } from '#features/auth/forms.ts'
import { expectRoomToHash, hashPassword } from '#features/auth/passwords.server.ts'
import { requestCode } from '#features/auth/request-code.server.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { localPath } from '#lib/http/local-path.ts'
import type { AuthResponder } from './auth-responder.ts'

const tags = ['identity']

/** Coming in: by password, by a code, as somebody new, with a forgotten password; and going out. */
export function signInRoutes(talk: AuthResponder): FastifyPluginAsyncZod {
  const { deps } = talk
  return async (app) => {
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
        if (Object.keys(errors).length > 0) return talk.again(request, reply, { status: 422, key: 'error.invalid', errors }, page)
        return talk.unlessBusy(request, reply, page, async () => {
          const knownCookie = talk.knownCookie(request)
          const result = await signIn(deps, { identifier, password, code, knownCookie, ...talk.start(request), nextPath: next ?? '' })
          if (result.ok) return talk.letIn(request, reply, result.entry)
          if (result.reason === 'too-many')
            return talk.again(
              request,
              reply,
              { status: 429, key: talk.isForm(request) ? 'auth.too-many' : 'error.too-many', retryAfter: result.retryAfter },
              { ...page, props: { ...props, askFactor: true } },
            )
          if (talk.isForm(request)) return talk.again(request, reply, { status: 422, key: 'auth.wrong' }, page)
          return talk.again(request, reply, { status: 422, key: 'auth.wrong', errors: { identifier: 'auth.wrong' } }, page)
        })
      },
    )

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
          if (!phone.ok) return talk.again(request, reply, { status: 422, key: 'error.invalid', errors: { phone: phone.reason } }, page)
          const result = await requestCode(deps, await talk.asker(request), { purpose, phone: phone.value, nextPath: next ?? '' })
          if (!result.ok)
            return talk.again(request, reply, { status: 429, key: 'auth.too-many-codes', retryAfter: result.retryAfter }, page)
          return talk.begin(request, reply, result.token)
        },
      )
    }

    app.post(
      '/register',
      { config: { page: true }, schema: { tags, summary: 'Begin a registration; the code by SMS ends it', body: registerBody } },
      async (request, reply) => {
        const { name, phone, email } = request.body
        const next = localPath(request.body.next, null)
        const page = {
          page: 'store/account/register',
          title: 'auth.register-title',
          props: { values: { name, phone, email }, next },
        } as const
        const read = readRegistration(request.body)
        if (!read.ok) return talk.again(request, reply, { status: 422, key: 'error.invalid', errors: read.errors }, page)
        const { password, ...person } = read.value
        return talk.unlessBusy(request, reply, page, async () => {
          expectRoomToHash('new')
          const result = await requestCode(deps, await talk.asker(request), {
            purpose: 'register',
            phone: person.phone,
            details: async () => ({ name: person.name, email: person.email, passwordHash: await hashPassword(password) }),
            nextPath: next ?? '',
          })
          if (!result.ok)
            return talk.again(request, reply, { status: 429, key: 'auth.too-many-codes', retryAfter: result.retryAfter }, page)
          return talk.begin(request, reply, result.token)
        })
      },
    )

    app.post('/logout', { schema: { tags, summary: 'Sign out', body: nothingBody } }, async (request, reply) => {
      await talk.endSession(request, reply)
      return talk.goOn(request, reply, '/')
    })
  }
}
