import { Button, ButtonLink } from '#components/button.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { clearPosCache } from '#features/pos/page-cache.ts'
import { LanguageSwitch } from '#components/language-switch.tsx'
import { AccountFrame } from './account-frame.tsx'

export interface Props {
  name: string
  phone: string
  isPhoneVerified: boolean
  email: string | null
}

/** Name and contact of the account. Credentials are changed on the security page. */
export function Page({ name, phone, isPhoneVerified, email }: Props) {
  const { t, lang } = useI18n()
  const { csrfToken } = usePageContext()
  const rows = [
    ['account.name', name || t('account.no-email')],
    ['account.phone', `${localizeDigits(lang, phone)}${isPhoneVerified ? ` (${t('account.verified')})` : ''}`],
    ['account.email', email || t('account.no-email')],
  ] as const
  return (
    <AccountFrame>
      <h2 className="sr-only">{t('account.profile')}</h2>
      <dl className="divide-y divide-line rounded-card border border-line bg-milk px-4 sm:px-6">
        {rows.map(([key, value]) => (
          <div key={key} className="grid gap-x-4 py-3 sm:grid-cols-[10rem_1fr]">
            <dt className="text-stone">{t(key)}</dt>
            <dd className="tabular-nums font-semibold wrap-anywhere">{value}</dd>
          </div>
        ))}
        <div className="grid items-center gap-x-4 py-2 sm:grid-cols-[10rem_1fr]">
          <dt className="text-stone">{t('account.language')}</dt>
          <dd className="flex flex-wrap items-center gap-x-2">
            <span className="font-semibold">{t('account.language-now')}</span>
            <LanguageSwitch label={`${t('account.profile')}: ${t('account.language')}`} />
          </dd>
        </div>
      </dl>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-milk px-4 py-3 sm:px-6">
        <p>
          <b className="block">{t('account.security')}</b>
          <span className="text-stone">{t('account.security-text')}</span>
        </p>
        <ButtonLink kind="secondary" href="/account/security">
          {t('auth.security-title')}
        </ButtonLink>
      </div>
      <form method="post" action="/logout" onSubmit={clearPosCache} className="mt-4">
        <input type="hidden" name="_token" value={csrfToken} />
        <Button type="submit" kind="quiet">
          {t('account.sign-out')}
        </Button>
      </form>
    </AccountFrame>
  )
}
