import { Button } from '#components/button.tsx'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { DemoCodes, Below, type FormProblems, Hidden, IdentityCard, NeedsSms, PhoneField, Problem, withNext } from './auth-card.tsx'

export interface Props extends FormProblems {
  phone: string
  next: string | null
}

/** Password reset: a code verifies the phone, then a new password is set. */
export function Page({ phone, next, errors, problem }: Props) {
  const { t } = useI18n()
  const { sendsSms } = usePageContext()
  return (
    <IdentityCard
      title={t('auth.forgot-title')}
      intro={sendsSms ? t('auth.forgot-intro') : undefined}
      below={<Below href={withNext('/login', next)} link={t('auth.with-password')} />}
    >
      <NeedsSms>
        <DemoCodes />
        <Problem text={problem} />
        <form method="post" action="/forgot-password" noValidate className="mt-5 space-y-4">
          <Hidden next={next} />
          <PhoneField label={t('auth.phone')} error={errors.phone} value={phone} />
          <Button type="submit" size="large" full>
            {t('auth.send-code')}
          </Button>
        </form>
      </NeedsSms>
    </IdentityCard>
  )
}
