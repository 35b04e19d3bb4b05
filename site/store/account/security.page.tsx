import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { LeftIcon } from '#components/icons.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { deviceLabel } from '#features/auth/device-name-rules.ts'
import type { FactorState } from '#features/auth/second-factor.server.ts'
import { clearPosCache } from '#features/pos/page-cache.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'
import { Done, Hidden } from './auth-card.tsx'

export interface Device {
  id: number
  browser: string | null
  system: string | null
  since: string
  lastSeen: string
  isThis: boolean
}

export interface Props {
  name: string
  phone: string
  email: string | null
  hasPassword: boolean
  /** Null for customers: they have no second factor. */
  factor: { state: FactorState; recoveryLeft: number } | null
  devices: Device[]
  done: 'name' | 'password' | 'staff-password' | 'phone' | 'email' | 'device' | 'devices' | 'factor-ended' | null
}

const HOME = '/account/security'

/** Credentials, second factor, and sessions. */
export function Page({ name, phone, email, hasPassword, factor, devices, done }: Props) {
  const { t, lang } = useI18n()
  const { user, sendsSms } = usePageContext()
  const isCustomer = user?.role === 'customer'
  return (
    <StoreLayout>
      <div className="mx-auto max-w-2xl px-4 py-6 lg:py-10">
        <a
          href={isCustomer ? '/account' : '/admin'}
          className="-ms-1 inline-flex min-h-11 items-center gap-1 font-semibold text-leaf-600 underline-offset-4 hover:underline"
        >
          <LeftIcon size={18} />
          {t(isCustomer ? 'auth.back-to-account' : 'auth.back-to-admin')}
        </a>
        <h1 className="mt-1 text-2xl">{t('auth.security-title')}</h1>
        <p className="mt-1 text-stone">{t('auth.security-intro')}</p>
        {done ? <Done text={t(`auth.done-${done}`)} /> : null}
        <ul className="mt-5 divide-y divide-line rounded-card border border-line bg-milk px-4 sm:px-6">
          <Row label={t('auth.name')} href={`${HOME}/name`} action={t('auth.change')}>
            {name || t('auth.no-email')}
          </Row>
          <Row label={t('auth.phone')} href={`${HOME}/phone`} action={t('auth.change')}>
            <span className="tabular-nums">{localizeDigits(lang, phone)}</span>
          </Row>
          <Row label={t('auth.email')} href={`${HOME}/email`} action={t(email ? 'auth.change' : 'auth.set')}>
            {email ?? t('auth.no-email')}
          </Row>
          <Row label={t('auth.password')} href={`${HOME}/password`} action={t(hasPassword ? 'auth.change' : 'auth.set')}>
            {hasPassword ? t('auth.has-password') : t('auth.has-no-password', { sms: sendsSms })}
          </Row>
          {factor ? (
            <Row label={t('auth.factor')} href={`${HOME}/second-factor`} action={t('auth.manage')}>
              {t(factor.state === 'confirmed' ? 'auth.factor-on' : 'auth.factor-off')}
              {factor.state === 'confirmed' ? (
                <span className="block text-sm text-stone">{t('auth.recovery-left', { count: factor.recoveryLeft })}</span>
              ) : null}
            </Row>
          ) : null}
        </ul>
        <Devices devices={devices} />
      </div>
    </StoreLayout>
  )
}

function Row({ label, href, action, children }: { label: string; href: string; action: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-4 py-3">
      <div className="min-w-0 grow">
        <p className="text-sm text-stone">{label}</p>
        <p className="font-semibold break-words">{children}</p>
      </div>
      <ButtonLink href={href} kind="secondary" size="small" className="shrink-0">
        {action}
        <span className="sr-only">: {label}</span>
      </ButtonLink>
    </li>
  )
}

function Devices({ devices }: { devices: Device[] }) {
  const { t } = useI18n()
  return (
    <section aria-labelledby="devices" className="mt-8">
      <h2 id="devices" className="text-xl">
        {t('auth.devices')}
      </h2>
      <ul className="mt-3 divide-y divide-line rounded-card border border-line bg-milk px-4 sm:px-6">
        {devices.map((device) => (
          <DeviceRow key={device.id} {...device} />
        ))}
      </ul>
      {devices.length > 1 ? (
        <form method="post" action={`${HOME}/devices/sign-out-others`} className="mt-4">
          <Hidden />
          <Button type="submit" kind="danger" full>
            {t('auth.sign-out-others')}
          </Button>
        </form>
      ) : (
        <p className="mt-3 text-sm text-stone">{t('auth.only-device')}</p>
      )}
    </section>
  )
}

function DeviceRow({ id, browser, system, lastSeen, isThis }: Device) {
  const { t, lang } = useI18n()
  const name = deviceLabel({ browser, system }, (known) => t('auth.device-on', known)) ?? t('auth.device-unknown')
  return (
    <li className="flex items-center gap-4 py-3">
      <div className="min-w-0 grow">
        <p className="font-semibold">
          {name}{' '}
          {isThis ? (
            <span className="ms-1 inline-block rounded-tag bg-leaf-100 px-1.5 text-sm text-leaf-800">{t('auth.this-device')}</span>
          ) : null}
        </p>
        <p className="text-sm text-stone">{t('auth.last-seen', { when: formatDateTime(new Date(lastSeen), lang) })}</p>
      </div>
      <form method="post" action={`${HOME}/devices/${id}/sign-out`} onSubmit={isThis ? clearPosCache : undefined} className="shrink-0">
        <Hidden />
        <Button type="submit" kind="secondary" size="small" aria-label={`${t('auth.sign-out-device')}: ${name}`}>
          {t('auth.sign-out-device')}
        </Button>
      </form>
    </li>
  )
}
