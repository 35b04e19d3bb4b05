import { ButtonLink } from '#components/button.tsx'
import { useI18n, usePageContext } from '#page/page-context.tsx'

/** Opens the login in another tab, so that the page with what is not saved stays. */
export function SignInAgain() {
  const { t } = useI18n()
  const { path } = usePageContext()
  return (
    <ButtonLink size="small" kind="secondary" href={`/login?next=${encodeURIComponent(path)}`} target="_blank">
      {t('admin.sign-in-again')}
    </ButtonLink>
  )
}
