import { TEXT_LIMIT } from '#lib/format/text.ts'
import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { useI18n } from '#page/page-context.tsx'
import { DemoCodes, Below, type FormProblems, Hidden, IdentityCard, PasswordField, PhoneField, Problem } from './auth-card.tsx'

export interface Props extends FormProblems {
  what: 'password' | 'phone' | 'email' | 'name'
  value: string
}

/** Changes the name, password, phone or email. */
export function Page({ what, value, errors, problem }: Props) {
  const { t } = useI18n()
  return (
    <IdentityCard
      title={t(`auth.change-${what}`)}
      intro={t(`auth.change-${what}-intro`)}
      below={<Below href="/account/security" link={t('auth.cancel')} />}
    >
      {what === 'phone' ? <DemoCodes /> : null}
      <Problem text={problem} />
      <form method="post" action={`/account/security/${what}`} noValidate className="mt-5 space-y-4">
        <Hidden />
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
    </IdentityCard>
  )
}
