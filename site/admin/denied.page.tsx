import { ButtonLink } from '#components/button.tsx'
import type { Right } from '#features/auth/permissions.ts'
import { useI18n } from '#page/page-context.tsx'
import { OfficeLayout } from './ui/layout.tsx'
import { useRights } from './ui/use-permissions.ts'

export interface Props {
  /** What would be needed, one of these. */
  rights: Right[]
}

/** For somebody of the staff whose role does not include the page. */
export function Page({ rights }: Props) {
  const { t } = useI18n()
  const { role } = useRights()
  return (
    <OfficeLayout title={t('office.denied.title')}>
      <div className="office-card max-w-xl p-5">
        <p>{t('office.denied.text', { role: role === 'customer' ? '' : t(`office.role.${role}`) })}</p>
        <p className="mt-2 text-sm text-stone">{rights.join(' / ')}</p>
        <p className="mt-4">
          <ButtonLink href="/admin">{t('office.denied.home')}</ButtonLink>
        </p>
      </div>
    </OfficeLayout>
  )
}
