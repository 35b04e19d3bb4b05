import { isForm } from '#lib/http/request-kind.server.ts'
import { emptyBody } from '#lib/form-fields.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { changeEmail, changeName, changePassword, confirmByPassword } from '../account-changes.server.ts'
import { confirmBody, confirmCodeBody, emailBody, nameBody, newPasswordBody, phoneBody, readEmail, readName, readPhone } from '../forms.ts'
import { passwordProblem } from '../password-rules.ts'
import { requestCode } from '../request-code.server.ts'
import { confirmAddress } from '../confirm-address.ts'
import { closeOwnSession, closeSessions, isRecentlyAuthenticated, type SignedInUser } from '../sessions.server.ts'
import { readId } from '#lib/format/id.ts'
import { localPath } from '#lib/http/local-path.ts'
import type { ZodApp } from '#lib/http/zod-app.ts'
import { type AuthResponder, codeErrors, type FormPage, invalid, tooManyTries } from './auth-responder.ts'

const tags = ['identity']
const HOME = '/account/security'

/** Routes with which a signed-in user changes password, phone, email, name and devices. */
export function securityRoutes(responder: AuthResponder): FastifyPluginAsyncZod {
  return async (app) => {
    passwordRoute(app, responder)
    phoneRoute(app, responder)
    emailRoute(app, responder)
    nameRoute(app, responder)
    signOutDeviceRoute(app, responder)
    signOutOthersRoute(app, responder)
    confirmRoute(app, responder)
    confirmByCodeRoute(app, responder)
  }
}

function passwordRoute(app: ZodApp, responder: AuthResponder): void {
  const { deps } = responder
  app.post(
    `${HOME}/password`,
    { config: { page: true }, schema: { tags, summary: 'Change the password', body: newPasswordBody } },
    async (request, reply) => {
      const user = await recentlyAuthenticatedUser(responder, request, reply, `${HOME}/password`)
      if (!user) return reply
      const wrong = passwordProblem(request.body.password, user)
      if (wrong) return responder.renderFormErrors(request, reply, invalid({ password: wrong }), changePage('password'))
      const page = changePage('password')
      return responder.withHashing(request, reply, page, async () => {
        const result = await changePassword(deps, user, request.body.password, responder.sessionStart(request))
        if (!result.ok && result.reason === 'ended') return responder.requireSignIn(request, reply, `${HOME}/password`)
        if (!result.ok) return responder.renderFormErrors(request, reply, tooManyTries(result.retryAfter), page)
        responder.setSessionCookie(reply, result.session)
        responder.setKnownBrowserCookie(request, reply, result.account)
        await responder.endOrderAccessElsewhere(request, user.id)
        // Their PIN and approval code end with the password.
        return responder.redirect(request, reply, `${HOME}?done=${user.role === 'customer' ? '' : 'staff-'}password`)
      })
    },
  )
}

function phoneRoute(app: ZodApp, responder: AuthResponder): void {
  const { deps } = responder
  app.post(
    `${HOME}/phone`,
    { config: { page: true }, schema: { tags, summary: 'Change the phone number: send a code to the new one', body: phoneBody } },
    async (request, reply) => {
      const user = await recentlyAuthenticatedUser(responder, request, reply, `${HOME}/phone`)
      if (!user) return reply
      const phone = readPhone(request.body.phone)
      const page = changePage('phone', request.body.phone)
      if (!phone.ok) return responder.renderFormErrors(request, reply, invalid({ phone: phone.reason }), page)
      const requested = { purpose: 'new-phone', phone: phone.value, userId: user.id, nextPath: HOME } as const
      const result = await requestCode(deps, await responder.codeRequester(request), requested)
      if (!result.ok) return responder.renderFormErrors(request, reply, codeErrors(result), page)
      return responder.startChallenge(request, reply, result.token)
    },
  )
}

function emailRoute(app: ZodApp, responder: AuthResponder): void {
  const { deps } = responder
  app.post(
    `${HOME}/email`,
    { config: { page: true }, schema: { tags, summary: 'Change or remove the email', body: emailBody } },
    async (request, reply) => {
      const user = await recentlyAuthenticatedUser(responder, request, reply, `${HOME}/email`)
      if (!user) return reply
      const email = readEmail(request.body.email)
      if (!email.ok) {
        const page = changePage('email', request.body.email)
        return responder.renderFormErrors(request, reply, invalid({ email: email.reason }), page)
      }
      await changeEmail(deps.db, user, email.value, responder.sessionStart(request))
      return responder.redirect(request, reply, `${HOME}?done=email`)
    },
  )
}

function nameRoute(app: ZodApp, responder: AuthResponder): void {
  const { deps } = responder
  app.post(
    `${HOME}/name`,
    { config: { page: true }, schema: { tags, summary: 'Change the name of the account', body: nameBody } },
    async (request, reply) => {
      const user = responder.requireUser(request, reply, `${HOME}/name`)
      if (!user) return reply
      const name = readName(request.body.name)
      const next = localPath(request.body.next, null)
      if (!name.ok) {
        const page = changePage('name', request.body.name, next)
        return responder.renderFormErrors(request, reply, invalid({ name: name.reason }), page)
      }
      await changeName(deps.db, user, name.value, request.ip)
      if (next === null) return responder.redirect(request, reply, `${HOME}?done=name`)
      responder.setWelcomeCookie(reply)
      return responder.redirect(request, reply, next)
    },
  )
}

function signOutDeviceRoute(app: ZodApp, responder: AuthResponder): void {
  const { deps } = responder
  app.post(
    `${HOME}/devices/:id/sign-out`,
    { config: { page: true }, schema: { tags, summary: 'Sign one device out', params: z.object({ id: z.string() }), body: emptyBody } },
    async (request, reply) => {
      const user = responder.requireUser(request, reply, HOME)
      if (!user) return reply
      const id = readId(request.params.id) ?? 0
      // First: a device whose session has ended is not listed, to try again.
      if (id !== user.session.id) await responder.endOrderAccessElsewhere(request, user.id)
      if (!(await closeOwnSession(deps.db, user.id, id))) return reply.fail(404, 'error.not-found')
      if (id !== user.session.id) return responder.redirect(request, reply, `${HOME}?done=device`)
      await responder.endSession(request, reply)
      return responder.redirect(request, reply, '/')
    },
  )
}

function signOutOthersRoute(app: ZodApp, responder: AuthResponder): void {
  const { deps } = responder
  app.post(
    `${HOME}/devices/sign-out-others`,
    { config: { page: true }, schema: { tags, summary: 'Sign all other devices out', body: emptyBody } },
    async (request, reply) => {
      const user = responder.requireUser(request, reply, HOME)
      if (!user) return reply
      await responder.endOrderAccessElsewhere(request, user.id)
      await closeSessions(deps.db, user.id, user.session.id)
      return responder.redirect(request, reply, `${HOME}?done=devices`)
    },
  )
}

function confirmRoute(app: ZodApp, responder: AuthResponder): void {
  const { deps } = responder
  app.post(
    '/account/confirm',
    { config: { page: true }, schema: { tags, summary: 'Confirm a sensitive change by password', body: confirmBody } },
    async (request, reply) => {
      const user = responder.requireUser(request, reply, HOME)
      if (!user) return reply
      const next = localPath(request.body.next, HOME)
      const page = confirmPage(user, next)
      if (!request.body.password) return responder.renderFormErrors(request, reply, invalid({ password: 'auth.password-required' }), page)
      const { password } = request.body
      return responder.withHashing(request, reply, page, async () => {
        const result = await confirmByPassword(deps, { user, password, now: deps.now() })
        if (result.ok) return responder.redirect(request, reply, next)
        if (result.reason === 'too-many') return responder.renderFormErrors(request, reply, tooManyTries(result.retryAfter), page)
        return responder.renderFormErrors(
          request,
          reply,
          { status: 422, key: 'auth.password-wrong', errors: { password: 'auth.password-wrong' } },
          page,
        )
      })
    },
  )
}

function confirmByCodeRoute(app: ZodApp, responder: AuthResponder): void {
  const { deps } = responder
  app.post(
    '/account/confirm/code',
    { config: { page: true }, schema: { tags, summary: 'Send a code that confirms a sensitive change', body: confirmCodeBody } },
    async (request, reply) => {
      const user = responder.requireUser(request, reply, HOME)
      if (!user) return reply
      const next = localPath(request.body.next, HOME)
      const page = confirmPage(user, next)
      const result = await requestCode(deps, await responder.codeRequester(request), {
        purpose: 'confirm',
        phone: user.phone,
        userId: user.id,
        nextPath: next,
      })
      if (!result.ok) return responder.renderFormErrors(request, reply, codeErrors(result), page)
      return responder.startChallenge(request, reply, result.token)
    },
  )
}

/** The form of one thing to change, with what was typed; a password is never sent back. */
const changePage = (what: 'password' | 'phone' | 'email' | 'name', value = '', next: string | null = null): FormPage => ({
  page: 'store/account/change',
  title: `auth.change-${what}`,
  props: { what, value, next },
})

const confirmPage = (user: SignedInUser, next: string): FormPage => ({
  page: 'store/account/confirm',
  title: 'auth.confirm-title',
  props: { next, hasPassword: user.hasPassword, phone: user.phone },
})

/** The recently authenticated user; else null, after a redirect to the confirmation. */
export async function recentlyAuthenticatedUser(
  responder: AuthResponder,
  request: FastifyRequest,
  reply: FastifyReply,
  next: string,
): Promise<SignedInUser | null> {
  const user = responder.requireUser(request, reply, next)
  if (!user || isRecentlyAuthenticated(user, responder.deps.now())) return user
  const confirm = confirmAddress(next)
  if (isForm(request)) void reply.redirect(confirm, 303)
  else void reply.fail(403, 'auth.confirm-first', { redirect: confirm })
  return null
}
