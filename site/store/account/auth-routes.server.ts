import { findChallenge } from '#features/auth/challenges.server.ts'
import { isAdminPath } from '#features/auth/admin-path-rules.ts'
import { givenName } from '#features/auth/placeholder-names.server.ts'
import { confirmAddress } from '#features/auth/confirm-address.ts'
import { isRecentlyAuthenticated, listDevices, type SignedInUser } from '#features/auth/sessions.server.ts'
import { secondFactorState } from '#features/auth/second-factor.server.ts'
import { type MessageKey, textByKey } from '#lib/i18n/translate.ts'
import { localPath } from '#lib/http/local-path.ts'
import type { NoPage, PageContext, PageRoute } from '#site/page-route.server.ts'
import { codeFormProps } from '#features/auth/http/code-form.ts'
import type { Props as LoginProps } from './login.page.tsx'

const HOME = '/account/security'
const NOTHING_WRONG = { errors: {}, problem: null }
const DONE = ['name', 'password', 'staff-password', 'phone', 'email', 'device', 'devices', 'factor-ended'] as const

/** Pages of registration, signing in, codes, and account security. */
export const identityPages: PageRoute[] = [
  {
    url: '/login',
    page: 'store/account/login',
    async load({ lang, query }) {
      const next = localPath(query.next, null)
      const isByPassword = query.way === 'password' || (query.way !== 'code' && isAdminPath(next))
      const way: LoginProps['way'] = isByPassword ? 'password' : 'code'
      const props = { way, identifier: '', phone: '', next, askFactor: false, ...NOTHING_WRONG }
      return { props, head: head(lang, 'auth.title') }
    },
  },
  {
    url: '/register',
    page: 'store/account/register',
    async load({ lang, query, user }) {
      const next = localPath(query.next, null)
      if (user) return { redirect: next ?? '/account' }
      return { props: { values: { name: '', phone: '', email: '' }, next, ...NOTHING_WRONG }, head: head(lang, 'auth.register-title') }
    },
  },
  {
    url: '/forgot-password',
    page: 'store/account/forgot-password',
    async load({ lang, query }) {
      return { props: { phone: '', next: localPath(query.next, null), ...NOTHING_WRONG }, head: head(lang, 'auth.forgot-title') }
    },
  },
  {
    url: '/code',
    page: 'store/account/code',
    personal: true,
    async load({ db, now, lang, challenge: token, user, query }) {
      const challenge = await findChallenge(db, token, now)
      const needsUser = challenge?.purpose === 'confirm' || challenge?.purpose === 'new-phone'
      if (!challenge || (needsUser && challenge.userId !== user?.id)) return { redirect: user ? HOME : '/login' }
      const title = challenge.purpose === 'first-password' ? 'auth.first-password-title' : 'auth.code-title'
      return { props: { ...codeFormProps(challenge, now), sentAgain: query.sent === 'again' }, head: head(lang, title) }
    },
  },
  {
    url: HOME,
    page: 'store/account/security',
    personal: true,
    load: (context) =>
      signedIn(context, async (user) => {
        const { db, now, lang, query } = context
        const [devices, factor] = await Promise.all([
          listDevices(db, user, now),
          user.role === 'customer' ? null : secondFactorState(db, user.id),
        ])
        const props = {
          name: givenName(user.name),
          phone: user.phone,
          email: user.email,
          hasPassword: user.hasPassword,
          factor,
          devices: devices.map(({ id, browser, system, createdAt, lastSeenAt }) => ({
            id,
            browser,
            system,
            since: createdAt.toISOString(),
            lastSeen: lastSeenAt.toISOString(),
            isThis: id === user.session.id,
          })),
          done: DONE.find((one) => one === query.done) ?? null,
        }
        return { props, head: head(lang, 'auth.security-title') }
      }),
  },
  {
    url: `${HOME}/name`,
    page: 'store/account/change',
    personal: true,
    load: (context) =>
      signedIn(context, async (user) => ({
        props: { what: 'name' as const, value: givenName(user.name), next: localPath(context.query.next, null), ...NOTHING_WRONG },
        head: head(context.lang, 'auth.change-name'),
      })),
  },
  ...(['password', 'phone', 'email'] as const).map((what): PageRoute => ({
    url: `${HOME}/${what}`,
    page: 'store/account/change',
    personal: true,
    load: (context) =>
      fresh(context, async (user) => ({
        props: { what, value: what === 'email' ? (user.email ?? '') : '', next: null, ...NOTHING_WRONG },
        head: head(context.lang, `auth.change-${what}`),
      })),
  })),
  {
    url: `${HOME}/second-factor`,
    page: 'store/account/second-factor',
    personal: true,
    load: (context) =>
      fresh(context, async (user) => {
        if (user.role === 'customer') return { redirect: HOME }
        const [factor, settings] = await Promise.all([secondFactorState(context.db, user.id), context.shopCache.settings()])
        const isNeeded = settings.staff_second_factor && factor.state !== 'confirmed'
        return { props: { ...factor, isNeeded, ...NOTHING_WRONG }, head: head(context.lang, 'auth.factor-title') }
      }),
  },
  {
    url: '/account/confirm',
    page: 'store/account/confirm',
    personal: true,
    load: (context) =>
      signedIn(context, async (user) => {
        const props = {
          next: localPath(context.query.next, HOME),
          hasPassword: user.hasPassword,
          phone: user.phone,
          ...NOTHING_WRONG,
        }
        return { props, head: head(context.lang, 'auth.confirm-title') }
      }),
  },
]

function head(lang: PageContext['lang'], key: MessageKey) {
  return { title: textByKey(lang)(key), endsWithShop: true, canonical: null }
}

/** For a page that needs a session; without one it redirects to the login page and back. */
export async function signedIn<Result>(context: PageContext, load: (user: SignedInUser) => Promise<Result>): Promise<Result | NoPage> {
  return context.user ? load(context.user) : { redirect: `/login?next=${encodeURIComponent(context.path)}` }
}

/** For a page that changes credentials: needs a password or code entered in the last minutes. */
function fresh<Result>(context: PageContext, load: (user: SignedInUser) => Promise<Result>): Promise<Result | NoPage> {
  return signedIn(context, async (user) =>
    isRecentlyAuthenticated(user, context.now) ? load(user) : { redirect: confirmAddress(context.path) },
  )
}
