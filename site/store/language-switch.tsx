import { type FormEvent } from 'react'
import { useI18n, useShell } from '#site/app-root.tsx'
import { csrfToken } from '#site/api-client.ts'

/** The other language, as a form: it works without script, and the choice is remembered. */
export function LanguageSwitch() {
  const { lang, t } = useI18n()
  const { path, csrfToken: token } = useShell()
  const other = lang === 'en' ? 'bn' : 'en'
  return (
    <form method="post" action="/language" onSubmit={keepAddress} aria-label={t('shell.language')}>
      <input type="hidden" name="lang" value={other} />
      <input type="hidden" name="next" value={path} />
      <input type="hidden" name="_token" value={token} />
      <button type="submit" lang={other} className={`h-11 rounded-card px-2.5 font-semibold text-leaf-800 hover:bg-leaf-100 ${other === 'bn' ? 'font-words' : ''}`}>
        {other === 'bn' ? 'বাংলা' : 'English'}
      </button>
    </form>
  )
}

/** The page's address may have changed since it was made, and so may its token. */
function keepAddress(event: FormEvent<HTMLFormElement>): void {
  const form = event.currentTarget
  ;(form.elements.namedItem('next') as HTMLInputElement).value = location.pathname + location.search
  ;(form.elements.namedItem('_token') as HTMLInputElement).value = csrfToken()
}
