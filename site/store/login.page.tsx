import { useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { AlertIcon } from '#components/icons.tsx'
import { TagMark } from '#components/logo.tsx'
import { useI18n, useShell } from '#site/app-root.tsx'
import { StoreLayout } from './layout.tsx'

export interface Props {
  /** Why the last try failed. */
  problem: 'wrong' | 'missing' | 'too-many' | null
  /** A page of this shop to go on to. */
  next: string | null
}

/** Signing in; the form needs no script. */
export function Page({ problem, next }: Props) {
  const { t } = useI18n()
  const { user, demo } = useShell()
  return (
    <StoreLayout>
      <div className="mx-auto max-w-md px-4 py-8 lg:py-14">
        <div className="rounded-card border border-line bg-milk p-5 sm:p-8">
          <TagMark size={52} />
          <h1 className="mt-3 text-2xl">{t('auth.title')}</h1>
          {user === null ? (
            <>
              <p className="mt-1 text-stone">{t('auth.intro')}</p>
              {demo ? <p className="stitch mt-4 rounded-card bg-tag-100 px-3.5 py-2 text-sm">{t('auth.demo')}</p> : null}
              <SignInForm problem={problem} next={next} />
            </>
          ) : (
            <SignedIn next={next} />
          )}
        </div>
        {user === null ? (
          <p className="mt-5 text-center">
            {t('auth.guest')}{' '}
            <a href={next ?? '/'} className="font-semibold text-leaf-600 underline underline-offset-4">
              {t('auth.go-shopping')}
            </a>
          </p>
        ) : null}
      </div>
    </StoreLayout>
  )
}

function SignInForm({ problem, next }: Props) {
  const { t } = useI18n()
  const { csrfToken } = useShell()
  const [shown, setShown] = useState(false)
  return (
    <form method="post" action="/login" className="mt-5 space-y-4">
      {problem === null ? null : (
        <p role="alert" className="flex items-start gap-2 rounded-card bg-terracotta-100 px-3.5 py-2.5 font-semibold text-terracotta">
          <AlertIcon className="mt-0.5 shrink-0" />
          {t(`auth.${problem}`)}
        </p>
      )}
      <input type="hidden" name="_token" value={csrfToken} />
      {next === null ? null : <input type="hidden" name="next" value={next} />}
      <TextField
        id="identifier"
        name="identifier"
        label={t('auth.identifier')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={255}
        enterKeyHint="next"
        required
      />
      <div className="relative">
        <TextField
          id="password"
          name="password"
          label={t('auth.password')}
          type={shown ? 'text' : 'password'}
          autoComplete="current-password"
          maxLength={128}
          enterKeyHint="go"
          required
        />
        <button
          type="button"
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="absolute end-0 top-0 min-h-8 text-sm font-semibold text-leaf-600 underline underline-offset-4"
        >
          {t(shown ? 'auth.hide-password' : 'auth.show-password')}
        </button>
      </div>
      <Button type="submit" size="large" full>
        {t('auth.sign-in')}
      </Button>
    </form>
  )
}

function SignedIn({ next }: { next: string | null }) {
  const { t } = useI18n()
  const { user, csrfToken } = useShell()
  return (
    <div className="mt-2 space-y-4">
      <p>{t('shell.signed-in-as', { name: user?.name ?? '' })}</p>
      <ButtonLink href={next ?? (user?.role === 'customer' ? '/' : '/admin')} full>
        {t('auth.continue')}
      </ButtonLink>
      <form method="post" action="/logout">
        <input type="hidden" name="_token" value={csrfToken} />
        <Button type="submit" kind="secondary" full>
          {t('auth.sign-out')}
        </Button>
      </form>
    </div>
  )
}
