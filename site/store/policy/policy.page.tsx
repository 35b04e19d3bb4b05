import { formatFullDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'
import { PlainText } from '#components/plain-text.tsx'

export interface Props {
  title: string
  body: string
  updated_on: string
}

export function Page({ title, body, updated_on }: Props) {
  const { t, lang } = useI18n()
  return (
    <StoreLayout>
      <article className="mx-auto max-w-3xl px-4 pt-8">
        <h1 className="text-3xl">{title}</h1>
        <p className="mt-1 text-sm text-stone">{t('policy.updated', { day: formatFullDay(updated_on, lang) })}</p>
        <PlainText text={body} className="mt-6" />
      </article>
    </StoreLayout>
  )
}
