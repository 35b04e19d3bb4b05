import { Button } from '#components/button.tsx'
import { isAdminPath } from '#features/auth/admin-path-rules.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { Below, type FormProblems, Hidden, IdentityCard, NeedsSms, PasswordField, Problem } from './auth-card.tsx'

export interface Props extends FormProblems {
  next: string
  hasPassword: boolean
  phone: string
}

/** Authenticates again before a sensitive change. */
export function Page({ next, hasPassword, phone, errors, problem }: Props) {
  const { t, lang } = useI18n()
  const { sendsSms } = usePageContext()
  return (
    <IdentityCard
      title={t('auth.confirm-title')}
      intro={t('auth.confirm-intro')}
      // The page of the approval code asks for the password itself.
      below={<Below href={isAdminPath(next) ? next.replace(/\/code$/, '') : '/account/security'} link={t('auth.cancel')} />}
    >
      <Problem text={problem} />
      {hasPassword ? (
        <form method="post" action="/account/confirm" noValidate className="mt-5 space-y-4">
          <Hidden next={next} />
          <PasswordField label={t('auth.password')} error={errors.password} autoComplete="current-password" />
          <Button type="submit" size="large" full>
            {t('auth.confirm')}
          </Button>
        </form>
      ) : null}
      {sendsSms || !hasPassword ? (
        <NeedsSms>
          <form method="post" action="/account/confirm/code" className="mt-5">
            <Hidden next={next} />
            <p className="text-sm text-stone">{t('auth.confirm-code-to', { phone: localizeDigits(lang, phone) })}</p>
            <Button type="submit" kind={hasPassword ? 'secondary' : 'primary'} full className="mt-2">
              {t('auth.confirm-code')}
            </Button>
          </form>
        </NeedsSms>
      ) : null}
    </IdentityCard>
  )
}
