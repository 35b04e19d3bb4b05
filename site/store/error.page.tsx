import type { MessageKey } from '#lib/i18n.ts'
import { useI18n, useShell } from '#site/app-root.tsx'

export interface Props {
  status: 403 | 404 | 410 | 500 | 503
  reference: string | null
}

/** What a visitor reads when there is nothing to show. */
export function Page({ status, reference }: Props) {
  const { t } = useI18n()
  const { path } = useShell()
  return (
    <main>
      <h1>{t(`error.page.${status}.title` as 'error.page.404.title' & MessageKey)}</h1>
      <p>{t(`error.page.${status}.text` as 'error.page.404.text' & MessageKey)}</p>
      {status >= 500 ? <a href={path}>{t('error.page.again')}</a> : null}
      <a href="/">{t('error.page.home')}</a>
      {reference ? <p>{t('error.page.reference', { id: reference })}</p> : null}
    </main>
  )
}
