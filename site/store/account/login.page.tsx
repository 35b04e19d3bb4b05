import { MAX_TYPED_CODE_LENGTH } from '#lib/format/input-limits.ts'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { Button, ButtonLink } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { isAdminPath } from '#features/auth/admin-path-rules.ts'
import { clearPosCache } from '#features/pos/page-cache.ts'
import { DemoCodes, Below, type FormProblems, Hidden, IdentityCard, PasswordField, PhoneField, Problem, withNext } from './auth-card.tsx'

export interface Props extends FormProblems {
  way: 'password' | 'code'
  /** As typed, when the form is shown again. */
  identifier: string
  phone: string
  /** The page of this shop to return to. */
  next: string | null
  /** The attempts are used up: a valid second factor may still pass. */
  askFactor: boolean
}

/** Signing in; the forms work without script. */
export function Page(props: Props) {
  const { t } = useI18n()
  const { user, demo, sendsSms } = usePageContext()
  const { next, problem } = props
  const way = sendsSms ? props.way : 'password'
  if (user) return <IdentityCard title={t('auth.title')}>{<SignedIn next={next} />}</IdentityCard>
  return (
    <IdentityCard
      title={t('auth.title')}
      intro={t(isAdminPath(next) ? 'auth.intro-staff' : way === 'code' ? 'auth.intro-code' : 'auth.intro')}
      below={<Elsewhere way={way} next={next} />}
    >
      {way === 'code' ? (
        <DemoCodes />
      ) : demo ? (
        <p className="stitch mt-4 rounded-card bg-tag-100 px-3.5 py-2 text-sm">{t('auth.demo')}</p>
      ) : null}
      <Problem text={problem} />
      {way === 'code' ? <CodeForm {...props} /> : <PasswordForm {...props} />}
    </IdentityCard>
  )
}

function PasswordForm({ identifier, errors, next, askFactor }: Props) {
  const { t } = useI18n()
  const { sendsSms } = usePageContext()
  return (
    <form method="post" action="/login" noValidate className="mt-5 space-y-4">
      <Hidden next={next} />
      <TextField
        id="identifier"
        name="identifier"
        label={t('auth.identifier')}
        error={errors.identifier}
        defaultValue={identifier}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={TEXT_LIMIT}
        enterKeyHint="next"
        required
      />
      <PasswordField label={t('auth.password')} error={errors.password} autoComplete="current-password" />
      {askFactor ? (
        <TextField
          id="code"
          name="code"
          label={t('auth.factor-code')}
          hint={t('auth.factor-now')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={MAX_TYPED_CODE_LENGTH}
          enterKeyHint="go"
          className="tabular-nums"
        />
      ) : null}
      <Button type="submit" size="large" full>
        {t('auth.sign-in')}
      </Button>
      {sendsSms ? (
        <>
          <Or />
          <ButtonLink href={withNext('/login?way=code', next)} kind="secondary" full>
            {t('auth.with-code')}
          </ButtonLink>
        </>
      ) : null}
    </form>
  )
}

function CodeForm({ phone, errors, next }: Props) {
  const { t } = useI18n()
  return (
    <form method="post" action="/login/code" noValidate className="mt-5 space-y-4">
      <Hidden next={next} />
      <PhoneField label={t('auth.phone')} hint={t('auth.phone-hint')} error={errors.phone} value={phone} />
      <Button type="submit" size="large" full>
        {t('auth.send-code')}
      </Button>
      <Or />
      <ButtonLink href={withNext('/login?way=password', next)} kind="secondary" full>
        {t('auth.with-password')}
      </ButtonLink>
    </form>
  )
}

function Or() {
  const { t } = useI18n()
  return (
    <p className="flex items-center gap-3 text-sm text-stone before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
      {t('auth.or')}
    </p>
  )
}

/** Guest checkout does not lead to an account page. */
const isOwn = (next: string) => /^\/account(?:[/?#]|$)/.test(next)

function Elsewhere({ way, next }: Pick<Props, 'way' | 'next'>) {
  const { t } = useI18n()
  const { sendsSms } = usePageContext()
  const isByPassword = way === 'password'
  const isForAdmin = isAdminPath(next)
  return (
    <>
      {isByPassword && !isForAdmin && sendsSms ? (
        <Below text={t('auth.no-account-yet')} href={withNext('/register', next)} link={t('auth.register')} />
      ) : null}
      {isByPassword ? <Below href={withNext('/forgot-password', next)} link={t('auth.forgot')} /> : null}
      {isForAdmin ? null : <Below text={t('auth.guest')} href={next && !isOwn(next) ? next : '/'} link={t('auth.go-shopping')} />}
    </>
  )
}

function SignedIn({ next }: { next: string | null }) {
  const { t } = useI18n()
  const { user, csrfToken } = usePageContext()
  return (
    <div className="mt-2 space-y-4">
      <p>{t('shell.signed-in-as', { name: user?.name ?? '' })}</p>
      <ButtonLink href={next ?? (user?.role === 'customer' ? '/' : '/admin')} full>
        {t('auth.continue')}
      </ButtonLink>
      <form method="post" action="/logout" onSubmit={clearPosCache}>
        <input type="hidden" name="_token" value={csrfToken} />
        <Button type="submit" kind="secondary" full>
          {t('auth.sign-out')}
        </Button>
      </form>
    </div>
  )
}
