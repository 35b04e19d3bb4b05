import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { changeEmail, changeName, changePassword, confirmByPassword } from '#features/auth/account-changes.server.ts'
import {
  confirmBody,
  confirmCodeBody,
  emailBody,
  nameBody,
  newPasswordBody,
  nothingBody,
  phoneBody,
  readEmail,
  readName,
  readPhone,
} from '#features/auth/forms.ts'
import { passwordProblem } from '#features/auth/password-rules.ts'
import { requestCode } from '#features/auth/request-code.server.ts'
import { closeOwnSession, closeSessions, isRecentlyAuthenticated, type SignedInUser } from '#features/auth/sessions.server.ts'
import { localPath } from '#lib/http/local-path.ts'
import type { AuthResponder, FormAgain } from './auth-responder.ts'

const tags = ['identity']
const HOME = '/account/security'

/** What a signed-in person may change about getting in: password, phone, email, devices. */
export function securityRoutes(talk: AuthResponder): FastifyPluginAsyncZod {
  const { deps } = talk
  return async (app) => {
    app.post(
      `${HOME}/password`,
      { config: { page: true }, schema: { tags, summary: 'A new password', body: newPasswordBody } },
      async (request, reply) => {
        const user = await recentlyAuthenticatedUser(talk, request, reply, `${HOME}/password`)
        if (!user) return reply
        const wrong = passwordProblem(request.body.password, user)
        if (wrong)
          return talk.again(request, reply, { status: 422, key: 'error.invalid', errors: { password: wrong } }, changePage('password'))
        const page = changePage('password')
        return talk.unlessBusy(request, reply, page, async () => {
          const result = await changePassword(deps, user, request.body.password, talk.start(request))
          if (!result.ok) return talk.again(request, reply, { status: 429, key: 'error.too-many', retryAfter: result.retryAfter }, page)
          talk.keepSession(reply, result.session)
          talk.setOrderAccessCookie(request, reply, result.account)
          return talk.goOn(request, reply, `${HOME}?done=password`)
        })
      },
    )

    app.post(
      `${HOME}/phone`,
      { config: { page: true }, schema: { tags, summary: 'A new phone number; the code sent to it ends it', body: phoneBody } },
      async (request, reply) => {
        const user = await recentlyAuthenticatedUser(talk, request, reply, `${HOME}/phone`)
        if (!user) return reply
        const phone = readPhone(request.body.phone)
        const page = changePage('phone', request.body.phone)
        if (!phone.ok) return talk.again(request, reply, { status: 422, key: 'error.invalid', errors: { phone: phone.reason } }, page)
        const wanted = { purpose: 'new-phone', phone: phone.value, userId: user.id, nextPath: HOME } as const
        const result = await requestCode(deps, await talk.asker(request), wanted)
        if (!result.ok) return talk.again(request, reply, { status: 429, key: 'auth.too-many-codes', retryAfter: result.retryAfter }, page)
        return talk.begin(request, reply, result.token)
      },
    )

    app.post(
      `${HOME}/email`,
      { config: { page: true }, schema: { tags, summary: 'Another email, or none', body: emailBody } },
      async (request, reply) => {
        const user = await recentlyAuthenticatedUser(talk, request, reply, `${HOME}/email`)
        if (!user) return reply
        const email = readEmail(request.body.email)
        if (!email.ok) {
          const page = changePage('email', request.body.email)
          return talk.again(request, reply, { status: 422, key: 'error.invalid', errors: { email: email.reason } }, page)
        }
        await changeEmail(deps.db, user.id, email.value, deps.now())
        return talk.goOn(request, reply, `${HOME}?done=email`)
      },
    )

    app.post(
      `${HOME}/name`,
      { config: { page: true }, schema: { tags, summary: 'Change the name of the account', body: nameBody } },
      async (request, reply) => {
        const user = talk.signedIn(request, reply, `${HOME}/name`)
        if (!user) return reply
        const name = readName(request.body.name)
        if (!name.ok) {
          const page = changePage('name', request.body.name)
          return talk.again(request, reply, { status: 422, key: 'error.invalid', errors: { name: name.reason } }, page)
        }
        await changeName(deps.db, user.id, name.value)
        return talk.goOn(request, reply, `${HOME}?done=name`)
      },
    )

    app.post(
      `${HOME}/devices/:id/sign-out`,
      { config: { page: true }, schema: { tags, summary: 'Sign one device out', params: z.object({ id: z.string() }), body: nothingBody } },
      async (request, reply) => {
        const user = talk.signedIn(request, reply, HOME)
        if (!user) return reply
        const id = /^\d{1,15}$/.test(request.params.id) ? Number(request.params.id) : 0
        if (!(await closeOwnSession(deps.db, user.id, id))) return reply.refuse(404, 'error.not-found')
        if (id !== user.session.id) return talk.goOn(request, reply, `${HOME}?done=device`)
        await talk.endSession(request, reply)
        return talk.goOn(request, reply, '/')
      },
    )

    app.post(
      `${HOME}/devices/sign-out-others`,
      { config: { page: true }, schema: { tags, summary: 'Sign all other devices out', body: nothingBody } },
      async (request, reply) => {
        const user = talk.signedIn(request, reply, HOME)
        if (!user) return reply
        await closeSessions(deps.db, user.id, user.session.id)
        return talk.goOn(request, reply, `${HOME}?done=devices`)
      },
    )

    app.post(
      '/account/confirm',
      { config: { page: true }, schema: { tags, summary: 'Show the password again', body: confirmBody } },
      async (request, reply) => {
        const user = talk.signedIn(request, reply, HOME)
        if (!user) return reply
        const next = localPath(request.body.next, HOME)
        const page = confirmPage(user, next)
        if (!request.body.password)
          return talk.again(request, reply, { status: 422, key: 'error.invalid', errors: { password: 'auth.password-required' } }, page)
        const { password } = request.body
        return talk.unlessBusy(request, reply, page, async () => {
          const result = await confirmByPassword(deps, { user, password, now: deps.now() })
          if (result.ok) return talk.goOn(request, reply, next)
          if (result.reason === 'too-many')
            return talk.again(request, reply, { status: 429, key: 'error.too-many', retryAfter: result.retryAfter }, page)
          return talk.again(request, reply, { status: 422, key: 'auth.password-wrong', errors: { password: 'auth.password-wrong' } }, page)
        })
      },
    )

    app.post(
      '/account/confirm/code',
      { config: { page: true }, schema: { tags, summary: 'Ask for a code to show again who one is', body: confirmCodeBody } },
      async (request, reply) => {
        const user = talk.signedIn(request, reply, HOME)
        if (!user) return reply
        const next = localPath(request.body.next, HOME)
        const page = confirmPage(user, next)
        const result = await requestCode(deps, await talk.asker(request), {
          purpose: 'confirm',
          phone: user.phone,
          userId: user.id,
          nextPath: next,
        })
        if (!result.ok) return talk.again(request, reply, { status: 429, key: 'auth.too-many-codes', retryAfter: result.retryAfter }, page)
        return talk.begin(request, reply, result.token)
      },
    )
  }
}

/** The form of one thing to change, with what was typed; a password is never sent back. */
const changePage = (what: 'password' | 'phone' | 'email' | 'name', value = ''): FormAgain => ({
  page: 'store/account/change',
  title: `auth.change-${what}`,
  props: { what, value },
})

const confirmPage = (user: SignedInUser, next: string): FormAgain => ({
  page: 'store/account/confirm',
  title: 'auth.confirm-title',
  props: { next, hasPassword: user.hasPassword, phone: user.phone },
})

/** The signed-in person who has shown who it is just now; else null, and the way to do so. */
export async function recentlyAuthenticatedUser(
  talk: AuthResponder,
  request: FastifyRequest,
  reply: FastifyReply,
  next: string,
): Promise<SignedInUser | null> {
  const user = talk.signedIn(request, reply, next)
  if (!user || isRecentlyAuthenticated(user, talk.deps.now())) return user
  const confirm = `/account/confirm?next=${encodeURIComponent(next)}`
  if (talk.isForm(request)) void reply.redirect(confirm, 303)
  else void reply.refuse(403, 'auth.confirm-first', { redirect: confirm })
  return null
}
