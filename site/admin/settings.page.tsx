import { type FinalWeighing, SETTINGS_PARTS, type SettingsPart, type SettingsValues } from '#features/office/settings/parts.ts'
import type { SettingsNow } from '#features/office/settings/queries.server.ts'
import { useI18n } from '#site/app-root.tsx'
import { AnimalFields } from './settings/animal-fields.tsx'
import { MessageFields } from './settings/message-fields.tsx'
import { NoticeFields, OrderFields, PaymentFields, SecurityFields, ShopFields, TillFields } from './settings/fields.tsx'
import { ScaleFields } from './settings/scale-fields.tsx'
import { adminPost } from './ui/admin-post.ts'
import { OfficeForm } from './ui/form.tsx'
import { OfficeLayout } from './ui/layout.tsx'
import { useOfficeForm } from './ui/use-form.ts'

export interface Props {
  part: SettingsPart
  now: SettingsNow
  weighings: FinalWeighing[]
}

/** What the owner sets without a programmer, a part at a time. */
export function Page({ part, now, weighings }: Props) {
  const { t } = useI18n()
  const form = useOfficeForm<SettingsValues & { seen: string }, SettingsNow>({
    id: `settings-${part}`,
    initial: { ...now.values, seen: now.seen },
    save: (values) => adminPost(`/admin/settings/${part}`, values),
    onSaved: (answer) => ({ ...answer.values, seen: answer.seen }),
  })
  return (
    <OfficeLayout title={t('office.nav.settings')}>
      <nav
        aria-label={t('office.nav.settings')}
        className="-mx-4 mb-4 flex gap-1 overflow-x-auto border-b border-line px-4 lg:mx-0 lg:px-0"
      >
        {SETTINGS_PARTS.map((one) => (
          <a
            key={one}
            href={`/admin/settings?part=${one}`}
            aria-current={one === part ? 'page' : undefined}
            className="min-h-11 px-3 py-2.5 font-semibold whitespace-nowrap text-stone hover:text-ink aria-[current]:text-leaf-800 aria-[current]:shadow-[inset_0_-3px_0_var(--color-tag)]"
          >
            {t(`settings.part.${one}`)}
          </a>
        ))}
      </nav>
      <OfficeForm form={form}>
        <Fields part={part} weighings={weighings} />
      </OfficeForm>
    </OfficeLayout>
  )
}

function Fields({ part, weighings }: { part: SettingsPart; weighings: FinalWeighing[] }) {
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
      return <TillFields />
    case 'animals':
      return <AnimalFields weighings={weighings} />
    case 'messages':
      return <MessageFields />
    case 'scales':
      return <ScaleFields />
    case 'security':
      return <SecurityFields />
  }
}
