import { TEXT_LIMIT } from '#lib/format/text.ts'
import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { DemoCodes, Below, type FormProblems, Hidden, IdentityCard, NeedsSms, PasswordField, PhoneField, Problem } from './auth-card.tsx'

export interface Props extends FormProblems {
  what: 'password' | 'phone' | 'email' | 'name'
  value: string
  /** A new customer is asked for the name, and goes on to this page, also without one; else null. */
  next: string | null
}

/** Changes the name, password, phone or email. */
export function Page({ what, value, next, errors, problem }: Props) {
  const { t } = useI18n()
  const { sendsSms } = usePageContext()
  const hasForm = what !== 'phone' || sendsSms
  return (
    <IdentityCard
      title={t(next === null ? `auth.change-${what}` : 'auth.ask-name')}
      intro={hasForm ? t(next === null ? `auth.change-${what}-intro` : 'auth.ask-name-intro') : undefined}
      below={next === null ? <Below href="/account/security" link={t('auth.cancel')} /> : <Below href={next} link={t('auth.skip')} />}
    >
      {what === 'phone' ? <DemoCodes /> : null}
      <Problem text={problem} />
      {hasForm ? (
        <form method="post" action={`/account/security/${what}`} noValidate className="mt-5 space-y-4">
          <Hidden next={next} />
          {what === 'password' ? (
            <PasswordField
              label={t('auth.new-password')}
              hint={t('auth.password-hint')}
              error={errors.password}
              autoComplete="new-password"
            />
          ) : what === 'phone' ? (
            <PhoneField label={t('auth.new-phone')} error={errors.phone} value={value} />
          ) : what === 'name' ? (
            <TextField
              id="name"
              name="name"
              label={t('auth.name')}
              error={errors.name}
              defaultValue={value}
              autoComplete="name"
              maxLength={TEXT_LIMIT}
              enterKeyHint="go"
              required
            />
          ) : (
            <TextField
              id="email"
              name="email"
              type="email"
              label={t('auth.email')}
              optionalLabel={t('auth.optional')}
              error={errors.email}
              defaultValue={value}
              autoComplete="email"
              maxLength={TEXT_LIMIT}
              enterKeyHint="go"
            />
          )}
          <Button type="submit" size="large" full>
            {t(what === 'phone' ? 'auth.send-code' : 'auth.save')}
          </Button>
        </form>
      ) : (
        <NeedsSms>{null}</NeedsSms>
      )}
    </IdentityCard>
  )
}
