import { Alpona } from '#components/alpona.tsx'
import { ButtonLink } from '#components/button.tsx'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { StoreLayout } from './layout.tsx'

export interface Props {
  status: number
  kind: 403 | 404 | 410 | 500 | 503 | 'refused'
  /** The problem of this request; null: the text of its kind. */
  message: string | null
  /** Whether a retry link is shown: the page was requested by its address and may work later. */
  canReload: boolean
  /** Whether a link leads back to the page of the rejected form. */
  canGoBack: boolean
  /** A page of the admin, for a member of staff: the way on leads back there. */
  isAdmin: boolean
  reference: string | null
}

/** The error page. */
export function Page({ status, kind, message, canReload, canGoBack, isAdmin, reference }: Props) {
  const { t, lang } = useI18n()
  const { path } = usePageContext()
  const isBroken = status >= 500
  const back = canGoBack ? 'error.page.back' : isBroken && canReload ? 'error.page.again' : null
  return (
    <StoreLayout>
      <div className="relative mx-auto grid min-h-[60vh] max-w-xl place-items-center px-4 py-12 text-center">
        <Alpona className="absolute size-80 max-w-full text-leaf-600/15" />
        <div className="relative">
          <span className="ear-tag tabular-nums -rotate-6 px-4 py-1 text-4xl">{localizeDigits(lang, String(status))}</span>
          <h1 className="mt-5 text-3xl">{t(`error.page.${kind}.title` as 'error.page.404.title' & MessageKey)}</h1>
          <p className="mt-2">{message ?? t(`error.page.${kind}.text` as 'error.page.404.text' & MessageKey)}</p>
          <div className="mt-6 flex flex-wrap justify-center gap-2">
            {back === null ? null : <ButtonLink href={path}>{t(back)}</ButtonLink>}
            <ButtonLink href={isAdmin ? '/admin' : '/'} kind={back === null ? 'primary' : 'secondary'}>
              {t(isAdmin ? 'error.page.admin' : 'error.page.home')}
            </ButtonLink>
          </div>
          {reference ? <p className="mt-4 text-sm text-stone">{t('error.page.reference', { id: reference })}</p> : null}
        </div>
      </div>
    </StoreLayout>
  )
}
