import type { PolicyRecord } from '#features/catalog/policies/queries.server.ts'
import { formatLongDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AdminLayout } from '../ui/layout.tsx'

type PolicyItem = Omit<PolicyRecord, 'body_en' | 'body_bn'>

export interface Props {
  policies: PolicyItem[]
}

/** The list of policy pages. */
export function Page({ policies }: Props) {
  const { t, lang } = useI18n()
  const columns: Column<PolicyItem>[] = [
    {
      key: 'title',
      head: t('texts.title'),
      lead: true,
      cell: ({ slug, title_en, title_bn }) => (lang === 'bn' ? title_bn : title_en) || t(`texts.${slug}`),
    },
    { key: 'address', head: t('texts.address'), cell: ({ slug }) => `/${slug}` },
    {
      key: 'day',
      head: t('texts.updated'),
      cell: ({ updated_on, is_draft }) => {
        if (is_draft || !updated_on) return <span className="chip chip-mango">{t(is_draft ? 'texts.draft' : 'texts.missing')}</span>
        return formatLongDay(updated_on, lang)
      },
    },
  ]
  return (
    <AdminLayout title={t('admin.nav.texts')}>
      <DataTable
        label={t('admin.nav.texts')}
        rows={policies}
        columns={columns}
        rowKey={({ slug }) => slug}
        rowHref={({ slug }) => `/admin/texts/${slug}`}
      />
    </AdminLayout>
  )
}
