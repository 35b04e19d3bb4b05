import { TEXT_LIMIT } from '#lib/format/text.ts'
import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { useI18n } from '#page/page-context.tsx'
import {
  DemoCodes,
  Below,
  type FormProblems,
  Hidden,
  IdentityCard,
  NeedsSms,
  PasswordField,
  PhoneField,
  Problem,
  withNext,
} from './auth-card.tsx'

export interface Props extends FormProblems {
  values: { name: string; phone: string; email: string }
  next: string | null
}

/** Registration; the SMS code follows. */
export function Page({ values, next, errors, problem }: Props) {
  const { t } = useI18n()
  return (
    <IdentityCard
      title={t('auth.register-title')}
      intro={t('auth.register-intro')}
      below={<Below text={t('auth.has-account')} href={withNext('/login', next)} link={t('auth.sign-in')} />}
    >
      <NeedsSms>
        <DemoCodes />
        <Problem text={problem} />
        <form method="post" action="/register" noValidate className="mt-5 space-y-4">
          <Hidden next={next} />
          <TextField
            id="name"
            name="name"
            label={t('auth.name')}
            error={errors.name}
            defaultValue={values.name}
            autoComplete="name"
            maxLength={TEXT_LIMIT}
            enterKeyHint="next"
            required
          />
          <PhoneField label={t('auth.phone')} hint={t('auth.phone-hint')} error={errors.phone} value={values.phone} />
          <TextField
            id="email"
            name="email"
            type="email"
            label={t('auth.email')}
            optionalLabel={t('auth.optional')}
            error={errors.email}
            defaultValue={values.email}
            autoComplete="email"
            maxLength={TEXT_LIMIT}
            enterKeyHint="next"
          />
          <PasswordField
            label={t('auth.new-password')}
            hint={t('auth.password-hint')}
            error={errors.password}
            autoComplete="new-password"
          />
          <Button type="submit" size="large" full>
            {t('auth.send-code')}
          </Button>
        </form>
      </NeedsSms>
    </IdentityCard>
  )
}
