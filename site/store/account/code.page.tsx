import { MAX_TYPED_CODE_LENGTH } from '#lib/format/input-limits.ts'
import { useEffect, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import type { Purpose } from '#features/auth/challenges.server.ts'
import type { CodeFormProps } from '#features/auth/http/code-form.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { DemoCodes, Below, Done, type FormProblems, Hidden, IdentityCard, PasswordField, Problem, withNext } from './auth-card.tsx'

export interface Props extends FormProblems {
  /** The pending verification; null when it has ended. */
  challenge: CodeFormProps['challenge'] | null
  /** The next page when it ended without a session. */
  offer?: 'register' | 'security' | 'home'
  /** The page to return to from there. */
  next?: string | null
  sentAgain?: boolean
}

/** Enters a code from an SMS or an authenticator app; for a password reset also the new password. */
export function Page(props: Props) {
  const { t, lang } = useI18n()
  const { challenge, problem, sentAgain = false } = props
  if (challenge === null) return <Over {...props} />
  const { purpose, phone, resendAfter, backTo, next } = challenge
  const intro =
    purpose === 'first-password'
      ? t('auth.first-password-intro')
      : phone === null
        ? t('auth.factor-intro')
        : t('auth.code-sent', { phone: localizeDigits(lang, phone) })
  return (
    <IdentityCard
      title={t(purpose === 'first-password' ? 'auth.first-password-title' : 'auth.code-title')}
      intro={intro}
      below={
        backTo === null ? (
          <Below href={withNext(BEGINNING[purpose], next)} link={t(phone === null ? 'auth.begin-again' : 'auth.other-number')} />
        ) : (
          <Below href={backTo} link={t('auth.back-to-order')} />
        )
      }
    >
      {phone === null ? null : <DemoCodes />}
      {sentAgain && problem === null ? <Done text={t('auth.code-sent-again')} /> : null}
      <Problem text={problem} />
      <CodeForm {...props} purpose={purpose} />
      {resendAfter === null ? null : <Resend after={resendAfter} />}
    </IdentityCard>
  )
}

const BEGINNING: Record<Purpose, string> = {
  register: '/register',
  'sign-in': '/login',
  'new-password': '/forgot-password',
  'new-phone': '/account/security/phone',
  confirm: '/account/security',
  'order-phone': '/',
  'second-factor': '/login',
  'first-password': '/login',
}

function CodeForm({ purpose, errors }: Props & { purpose: Purpose }) {
  const { t } = useI18n()
  const setsPassword = purpose === 'new-password' || purpose === 'first-password'
  return (
    <form method="post" action="/code" noValidate className="mt-5 space-y-4">
      <Hidden />
      {purpose === 'first-password' ? null : (
        <TextField
          id="code"
          name="code"
          label={t(purpose === 'second-factor' ? 'auth.factor-code' : 'auth.code')}
          error={errors.code}
          // Recovery codes contain letters too.
          inputMode={purpose === 'second-factor' ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={MAX_TYPED_CODE_LENGTH}
          enterKeyHint={setsPassword ? 'next' : 'go'}
          className="tabular-nums text-center text-xl tracking-[0.3em]"
          required
        />
      )}
      {setsPassword ? (
        <PasswordField label={t('auth.new-password')} hint={t('auth.password-hint')} error={errors.password} autoComplete="new-password" />
      ) : null}
      <Button type="submit" size="large" full>
        {t(setsPassword ? 'auth.save-password' : 'auth.continue')}
      </Button>
    </form>
  )
}

/** Requests another code. Without script it is always enabled and the server may reject it; with script after the waiting time. */
function Resend({ after }: { after: number }) {
  const { t } = useI18n()
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const end = Date.now() + after * 1000
    const tick = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [after])
  return (
    <form method="post" action="/code/resend" className="mt-3">
      <Hidden />
      <Button type="submit" kind="quiet" full disabled={left > 0}>
        {left > 0 ? t('auth.resend-in', { seconds: left }) : t('auth.resend')}
      </Button>
    </form>
  )
}

const OFFERS = {
  register: { href: '/register', key: 'auth.register' },
  security: { href: '/account/security', key: 'auth.security-title' },
  home: { href: '/', key: 'auth.go-shopping' },
  again: { href: '/login', key: 'auth.begin-again' },
} as const

function Over({ problem, offer = undefined, next = null }: Pick<Props, 'problem' | 'offer' | 'next'>) {
  const { t } = useI18n()
  const { href, key } = OFFERS[offer ?? 'again']
  return (
    <IdentityCard title={t('auth.code-title')}>
      <Problem text={problem ?? t('auth.request-over')} />
      <ButtonLink href={withNext(href, next)} full className="mt-5">
        {t(key)}
      </ButtonLink>
    </IdentityCard>
  )
}
