import { type FinalWeighing, SETTINGS_PARTS, type SettingsPart, type SettingsValues } from '#features/settings/sections.ts'
import { SETTINGS_FORMS } from '#features/settings/forms.ts'
import type { SettingsNow } from '#features/settings/queries.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { AnimalFields } from './animal-fields.tsx'
import { BackupFields } from './backup-fields.tsx'
import { MessageFields } from './message-fields.tsx'
import { NoticeFields, OrderFields, PaymentFields, SecurityFields, ShopFields, PosFields } from './fields.tsx'
import { AnalyticsFields } from './analytics-fields.tsx'
import { EmailFields } from './email-fields.tsx'
import { ScaleFields } from './scale-fields.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { AdminForm } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useAdminForm } from '../ui/use-form.ts'

export interface Props {
  part: SettingsPart
  now: SettingsNow
  weighings: FinalWeighing[]
  /** Whether the shop can send email. */
  emailConfigured: boolean
}

/** The settings of the shop, one part per tab. */
export function Page({ part, now, weighings, emailConfigured }: Props) {
  const { t } = useI18n()
  const form = useAdminForm<SettingsValues & { settingsHash: string }, SettingsNow>({
    id: `settings-${part}`,
    initial: { ...now.values, settingsHash: now.settingsHash },
    schema: SETTINGS_FORMS[part],
    bodyOf: ({ settingsHash: _hash, ...values }) => values,
    save: (values) => adminPost(`/admin/settings/${part}`, values),
    onSaved: (answer) => ({ ...answer.values, settingsHash: answer.settingsHash }),
  })
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
        <Fields part={part} weighings={weighings} emailConfigured={emailConfigured} />
      </AdminForm>
    </AdminLayout>
  )
}

function Fields({ part, weighings, emailConfigured }: Omit<Props, 'now'>) {
  switch (part) {
    case 'shop':
      return <ShopFields />
    case 'notices':
      return <NoticeFields />
    case 'payments':
      return <PaymentFields />
    case 'orders':
      return <OrderFields />
    case 'till':
      return <PosFields />
    case 'animals':
      return <AnimalFields weighings={weighings} />
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
