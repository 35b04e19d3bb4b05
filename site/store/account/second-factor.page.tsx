import { MAX_TYPED_CODE_LENGTH } from '#lib/format/input-limits.ts'
import { Button, ButtonLink } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { QrCode } from '#components/qr-code.tsx'
import type { FactorState } from '#features/auth/second-factor.server.ts'
import type { QrDrawing } from '#lib/codes/qr-code.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { Below, Done, type FormProblems, Hidden, IdentityCard, Problem } from './auth-card.tsx'

export interface Props extends FormProblems {
  state: FactorState
  recoveryLeft?: number
  /** The owner requires it of all staff. */
  isNeeded?: boolean
  /** Present during set-up. */
  qr?: QrDrawing
  secretKey?: string
  /** The key as a link, which an authenticator app of the same device opens. */
  address?: string
  /** Shown once after set-up. */
  recoveryCodes?: string[]
}

const HOME = '/account/security/second-factor'

/** The second factor of staff: set up, turn off. */
export function Page(props: Props) {
  const { t } = useI18n()
  const { state, recoveryCodes, qr, isNeeded, problem } = props
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} />
  return (
    <IdentityCard
      title={t('auth.factor-title')}
      intro={t('auth.factor-why')}
      below={<Below href="/account/security" link={t('auth.cancel')} />}
    >
      {isNeeded ? <p className="stitch mt-4 rounded-card bg-tag-100 px-3.5 py-2">{t('auth.factor-needed')}</p> : null}
      <Problem text={problem} />
      {state === 'confirmed' ? <Ending {...props} /> : qr ? <SettingUp {...props} qr={qr} /> : <Beginning />}
    </IdentityCard>
  )
}

function Beginning() {
  const { t } = useI18n()
  return (
    <form method="post" action={`${HOME}/begin`} className="mt-5">
      <Hidden />
      <Button type="submit" size="large" full>
        {t('auth.factor-begin')}
      </Button>
    </form>
  )
}

function CodeField({ error }: { error?: string }) {
  const { t } = useI18n()
  return (
    <TextField
      id="code"
      name="code"
      label={t('auth.factor-code')}
      error={error}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={MAX_TYPED_CODE_LENGTH}
      enterKeyHint="go"
      className="tabular-nums text-center text-xl tracking-[0.3em]"
      required
    />
  )
}

function SettingUp({ qr, secretKey = '', address, errors }: Props & { qr: QrDrawing }) {
  const { t } = useI18n()
  return (
    <>
      <p className="mt-4">{t('auth.factor-scan')}</p>
      <QrCode drawing={qr} label={t('auth.factor-qr')} className="mx-auto mt-4 w-52 rounded-card border border-line" />
      {address ? (
        <ButtonLink href={address} kind="secondary" full className="mt-3 pointer-fine:hidden">
          {t('auth.factor-open')}
        </ButtonLink>
      ) : null}
      <p className="mt-3 text-center text-sm text-stone">{t('auth.factor-key')}</p>
      <p className="tabular-nums text-center font-semibold break-words select-all">{secretKey}</p>
      <form method="post" action={`${HOME}/confirm`} noValidate className="mt-5 space-y-4">
        <Hidden />
        <CodeField error={errors.code} />
        <Button type="submit" size="large" full>
          {t('auth.factor-confirm')}
        </Button>
      </form>
    </>
  )
}

function Ending({ recoveryLeft = 0, errors }: Props) {
  const { t } = useI18n()
  return (
    <form method="post" action={`${HOME}/end`} noValidate className="mt-5 space-y-4">
      <Hidden />
      <Done text={t('auth.factor-there')} />
      <p className="text-sm text-stone">{t('auth.recovery-left', { count: recoveryLeft })}</p>
      <p>{t('auth.factor-end-intro')}</p>
      <CodeField error={errors.code} />
      <Button type="submit" kind="danger" full>
        {t('auth.factor-end')}
      </Button>
    </form>
  )
}

function RecoveryCodes({ codes }: { codes: string[] }) {
  const { t } = useI18n()
  return (
    <IdentityCard title={t('auth.recovery-title')} intro={t('auth.recovery-intro')}>
      <ol className="stitch tabular-nums mt-5 grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-card bg-tag-100 p-4 text-center text-lg font-semibold sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ol>
      <ButtonLink href="/account/security" full className="mt-5">
        {t('auth.recovery-done')}
      </ButtonLink>
    </IdentityCard>
  )
}
