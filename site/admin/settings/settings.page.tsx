import { type ReactNode, useState } from 'react'
import { type FinalWeighing, SETTINGS_PARTS, type SettingsPart, type SettingsValues } from '#features/settings/sections.ts'
import { MAX_CERTIFICATES } from '#features/settings/limits.ts'
import type { proposedSeason } from '#features/settings/season-rules.ts'
import { SETTINGS_FORMS } from '#features/settings/forms.ts'
import type { SettingsNow } from '#features/settings/queries.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { AboutFields } from './about-fields.tsx'
import { AnimalFields } from './animal-fields.tsx'
import { BackupFields } from './backup-fields.tsx'
import { MessageFields } from './message-fields.tsx'
import { NoticeFields, OrderFields, PaymentFields, SecurityFields, ShopFields, PosFields } from './fields.tsx'
import { AnalyticsFields } from './analytics-fields.tsx'
import { DeliveryFields } from './delivery-fields.tsx'
import { EmailFields } from './email-fields.tsx'
import { ScaleFields } from './scale-fields.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { AdminForm } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { PictureDrop } from '../ui/picture-drop.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useAdminForm } from '../ui/use-form.ts'

export interface Props {
  part: SettingsPart
  now: SettingsNow
  weighings: FinalWeighing[]
  /** The category of the animals of the season. */
  kurbaniId: number | null
  /** The days of the next Eid, while the settings hold another season. */
  proposed: ReturnType<typeof proposedSeason>
  /** Whether the shop can send email. */
  emailConfigured: boolean
}

/** The settings of the shop, one part per tab. */
export function Page({ part, now, weighings, kurbaniId, proposed, emailConfigured }: Props) {
  const { t } = useI18n()
  const [settingsHash, setSettingsHash] = useState(now.settingsHash)
  const form = useAdminForm<SettingsValues, SettingsNow>({
    id: `settings-${part}`,
    initial: now.values,
    version: settingsHash,
    schema: SETTINGS_FORMS[part],
    bodyOf,
    save: (values) => adminPost(`/admin/settings/${part}`, { ...bodyOf(values), settingsHash }),
    onSaved(answer) {
      setSettingsHash(answer.settingsHash)
      return answer.values
    },
  })
  const logo = (
    <PictureDrop
      label={t('settings.logo')}
      hint={t('settings.logo-hint')}
      value={form.values.logo ? [form.values.logo] : []}
      onChange={([image]) => form.set('logo', image ?? null)}
      error={form.errorOf('logo')}
      aspect={null}
      fit="contain"
    />
  )
  const certificates = (
    <PictureDrop
      label={t('settings.certificates-pictures')}
      value={form.values.certificates ?? []}
      onChange={(images) => form.set('certificates', images)}
      error={form.errorOf('certificates')}
      max={MAX_CERTIFICATES}
      aspect={null}
      fit="contain"
    />
  )
  return (
    <AdminLayout title={t('admin.nav.settings')}>
      <Tabs
        label={t('admin.nav.settings')}
        tabs={SETTINGS_PARTS.map((one) => ({
          label: t(`settings.part.${one}`),
          href: `/admin/settings?part=${one}`,
          isCurrent: one === part,
        }))}
      />
      <AdminForm form={form}>
        <Fields {...{ part, weighings, kurbaniId, proposed, emailConfigured, logo, certificates }} />
      </AdminForm>
    </AdminLayout>
  )
}

/** Of pictures the ids alone. */
const bodyOf = ({ logo, certificates, ...values }: SettingsValues) => ({
  ...values,
  ...(logo === undefined ? {} : { logo: logo && { image_id: logo.image_id } }),
  ...(certificates === undefined ? {} : { certificates: certificates.map(({ image_id }) => ({ image_id })) }),
})

function Fields({
  part,
  weighings,
  kurbaniId,
  proposed,
  emailConfigured,
  logo,
  certificates,
}: Omit<Props, 'now'> & { logo: ReactNode; certificates: ReactNode }) {
  switch (part) {
    case 'shop':
      return <ShopFields logo={logo} />
    case 'about':
      return <AboutFields certificates={certificates} />
    case 'notices':
      return <NoticeFields />
    case 'payments':
      return <PaymentFields />
    case 'orders':
      return <OrderFields />
    case 'delivery':
      return <DeliveryFields />
    case 'pos':
      return <PosFields />
    case 'animals':
      return <AnimalFields {...{ weighings, kurbaniId, proposed }} />
    case 'messages':
      return <MessageFields />
    case 'email':
      return <EmailFields isConfigured={emailConfigured} />
    case 'analytics':
      return <AnalyticsFields />
    case 'scales':
      return <ScaleFields />
    case 'security':
      return <SecurityFields />
    case 'backup':
      return <BackupFields />
  }
}
