import { formatFullDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'
import { PlainText } from '#components/plain-text.tsx'

export interface Props {
  title: string
  body: string
  updated_on: string
  /** Not yet checked by the owner: a note says so. */
  is_draft: boolean
}

export function Page({ title, body, updated_on, is_draft }: Props) {
  const { t, lang } = useI18n()
  return (
    <StoreLayout>
      <article className="mx-auto max-w-3xl px-4 pt-8">
        <h1 className="text-3xl">{title}</h1>
        <p className="mt-1 text-sm text-stone">{t('policy.updated', { day: formatFullDay(updated_on, lang) })}</p>
        {is_draft ? <p className="mt-4 rounded-card border-s-4 border-mango bg-mango-100 px-4 py-3">{t('policy.draft')}</p> : null}
        <PlainText text={body} className="mt-6" />
      </article>
    </StoreLayout>
  )
}
