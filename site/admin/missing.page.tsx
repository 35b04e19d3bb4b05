import { ButtonLink } from '#components/button.tsx'
import { useI18n } from '#page/page-context.tsx'
import { OfficeLayout } from './ui/layout.tsx'

export type Props = Record<string, never>

/** For an address of the office that leads to nothing: a row that is gone, or a number mistyped. The rail and the search stay at hand. */
export function Page() {
  const { t } = useI18n()
  return (
    <OfficeLayout title={t('office.missing.title')}>
      <div className="office-card max-w-xl p-5">
        <p>{t('office.missing.text')}</p>
        <p className="mt-4">
          <ButtonLink href="/admin">{t('office.denied.home')}</ButtonLink>
        </p>
      </div>
    </OfficeLayout>
  )
}
