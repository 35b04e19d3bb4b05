import { ButtonLink } from '#components/button.tsx'
import { useI18n } from '#page/page-context.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

/** The link to the campaigns; nothing without the permission. */
export function CampaignsLink() {
  const { t } = useI18n()
  const { can } = usePermissions()
  if (!can('campaigns.send')) return null
  return (
    <ButtonLink kind="secondary" href="/admin/sms/campaigns">
      {t('campaigns.title')}
    </ButtonLink>
  )
}
