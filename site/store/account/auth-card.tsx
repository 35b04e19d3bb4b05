import { MAX_TYPED_PHONE_LENGTH } from '#lib/format/input-limits.ts'
import { MAX_PASSWORD_LENGTH } from '#features/auth/limits.ts'
import { type ReactNode, useState } from 'react'
import { TextField } from '#components/field.tsx'
import { AlertIcon, CheckIcon } from '#components/icons.tsx'
import { ShopBrand } from '#components/logo.tsx'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'

/** Errors at the fields and of the whole form, when it is shown again. */
export interface FormProblems {
  errors: Record<string, string>
  problem: string | null
}

/** A small form in the middle of the page, for signing in and related actions. */
export function IdentityCard({
  title,
  intro,
  children,
  below,
}: {
  title: ReactNode
  intro?: ReactNode
  children: ReactNode
  below?: ReactNode
}) {
  return (
    <StoreLayout>
      <div className="mx-auto max-w-md px-4 py-6 lg:py-14">
        <div className="rounded-card border border-line bg-milk p-5 sm:p-8">
          <ShopBrand size={52} />
          <h1 className="mt-3 text-2xl">{title}</h1>
          {intro ? <p className="mt-1 text-stone">{intro}</p> : null}
          {children}
        </div>
        {below ? <div className="mt-5 space-y-1 text-center">{below}</div> : null}
      </div>
    </StoreLayout>
  )
}

/** The error of the whole form. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <p role="alert" className="mt-4 flex items-start gap-2 rounded-card bg-terracotta-100 px-3.5 py-2.5 font-semibold text-terracotta">
      <AlertIcon className="mt-0.5 shrink-0" />
      {text}
    </p>
  )
}

/** A success message. */
export function Done({ text }: { text: string }) {
  return (
    <p role="status" className="mt-4 flex items-start gap-2 rounded-card bg-leaf-100 px-3.5 py-2.5 font-semibold text-leaf-800">
      <CheckIcon className="mt-0.5 shrink-0" />
      {text}
    </p>
  )
}

/** A form that ends in a code by SMS; in a shop that sends none, the text that says so. */
export function NeedsSms({ children }: { children: ReactNode }) {
  const { t } = useI18n()
  return usePageContext().sendsSms ? children : <p className="mt-4 rounded-card bg-tag-100 px-3.5 py-2.5">{t('auth.no-sms')}</p>
}

/** In a demo shop: the link to the page that shows the code. */
export function DemoCodes() {
  const { t } = useI18n()
  const { demo } = usePageContext()
  if (!demo) return null
  return (
    <p className="stitch mt-4 rounded-card bg-tag-100 px-3.5 py-2 text-sm">
      <a href="/demo/sms" target="_blank" rel="noopener" className="font-semibold underline underline-offset-4">
        {t('auth.demo-codes')}
      </a>
    </p>
  )
}

/** The form's anti-forgery token and the page to return to. */
export function Hidden({ next = null }: { next?: string | null }) {
  const { csrfToken } = usePageContext()
  return (
    <>
      <input type="hidden" name="_token" value={csrfToken} />
      {next === null ? null : <input type="hidden" name="next" value={next} />}
    </>
  )
}

/** A line with a link, below a card. */
export function Below({ text, href, link }: { text?: string; href: string; link: string }) {
  return (
    <p>
      {text ? `${text} ` : ''}
      <a href={href} className="inline-block py-2 font-semibold text-leaf-600 underline underline-offset-4">
        {link}
      </a>
    </p>
  )
}

/** The address with the page to return to. */
export function withNext(path: string, next: string | null): string {
  return next === null ? path : `${path}${path.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}`
}

interface PasswordFieldProps {
  label: string
  hint?: string
  error?: string
  autoComplete: 'current-password' | 'new-password'
}

/** A password field with a button that shows the password. */
export function PasswordField({ label, hint, error, autoComplete }: PasswordFieldProps) {
  const { t } = useI18n()
  const [shown, setShown] = useState(false)
  return (
    <div className="relative">
      <TextField
        id="password"
        name="password"
        label={label}
        hint={hint}
        error={error}
        type={shown ? 'text' : 'password'}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={MAX_PASSWORD_LENGTH}
        enterKeyHint="go"
        required
      />
      <button
        type="button"
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="needs-script absolute end-0 -top-2.5 min-h-11 text-sm font-semibold text-leaf-600 underline underline-offset-4"
      >
        {t(shown ? 'auth.hide-password' : 'auth.show-password')}
      </button>
    </div>
  )
}

/** A mobile number field. */
export function PhoneField({ label, hint, error, value }: { label: string; hint?: string; error?: string; value: string }) {
  return (
    <TextField
      id="phone"
      name="phone"
      type="tel"
      label={label}
      hint={hint}
      error={error}
      defaultValue={value}
      autoComplete="tel"
      inputMode="tel"
      maxLength={MAX_TYPED_PHONE_LENGTH}
      enterKeyHint="next"
      required
    />
  )
}
