import { areaBody, newAreaBody } from '#features/catalog/areas/forms.ts'
import type { AreaRecord } from '#features/catalog/areas/queries.server.ts'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { AdminForm, FormCheckbox, FormNumber, FormRow, FormSection, FormSelect, FormTaka, FormText, useFormField } from '../ui/form.tsx'
import { FormWeekdays } from '../ui/weekdays-field.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { useAdminForm } from '../ui/use-form.ts'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  /** Null for a new area. */
  area: AreaRecord | null
}

const BLANK = {
  name_en: '',
  name_bn: '',
  active: true,
  position: 0,
  cattle: { kind: 'own', charge: null },
  produce: { kind: 'own', charge: null },
  closed_weekdays: [] as number[],
}

/** Edits a delivery area: names, and the delivery charge of each product group. */
export function Page({ area }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const form = useAdminForm({
    id: `area-${area?.id ?? 'new'}`,
    initial: area ? withoutId(area) : BLANK,
    ...(area ? { version: area.version } : {}),
    schema: area ? areaBody : newAreaBody,
    save: (values) =>
      adminPost<{ area: AreaRecord; redirect?: string }>(
        area ? `/admin/areas/${area.id}` : '/admin/areas/store',
        values,
        area ? {} : { once: 'area-new' },
      ),
    onSaved(answer) {
      if (answer.redirect) location.assign(answer.redirect)
      return withoutId(answer.area)
    },
  })
  return (
    <AdminLayout
      title={area ? (lang === 'bn' ? area.name_bn : area.name_en) : t('areas.new')}
      back={{ href: '/admin/areas', label: t('admin.nav.areas') }}
    >
      <AdminForm form={form} readOnly={!can('catalog.write')} cancelHref="/admin/areas">
        <FormSection title={t('areas.where')}>
          <FormRow>
            <FormText name="name_en" label={t('areas.name-en')} />
            <FormText name="name_bn" label={t('areas.name-bn')} lang="bn" />
          </FormRow>
          <FormNumber name="position" label={t('areas.position')} />
          <FormCheckbox name="active" label={t('areas.active')} hint={t('areas.active-hint')} />
        </FormSection>
        <FormSection title={t('areas.charges')}>
          <GroupCharge group="cattle" />
          <GroupCharge group="produce" />
        </FormSection>
        <FormSection title={t('areas.days')}>
          <FormWeekdays name="closed_weekdays" label={t('areas.weekdays')} hint={t('areas.weekdays-hint')} ticks="open" />
        </FormSection>
      </AdminForm>
    </AdminLayout>
  )
}

function withoutId({ id: _id, ...rest }: AreaRecord): Omit<AreaRecord, 'id'> {
  return rest
}

function GroupCharge({ group }: { group: DeliveryGroup }) {
  const { t } = useI18n()
  const { value } = useFormField(`${group}.kind`)
  return (
    <FormRow>
      <FormSelect
        name={`${group}.kind`}
        label={t(`areas.${group}`)}
        options={(['own', 'set', 'closed'] as const).map((kind) => [kind, t(`areas.${kind}`)])}
      />
      {value === 'set' ? <FormTaka name={`${group}.charge`} label={t('areas.charge')} /> : null}
    </FormRow>
  )
}
