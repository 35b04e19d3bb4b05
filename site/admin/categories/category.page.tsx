import { categoryBody, newCategoryBody } from '#features/catalog/categories/forms.ts'
import type { CategoryRecord } from '#features/catalog/categories/queries.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { FormArea, FormNumber, FormRow, FormSection, FormSelect, FormText, FormCheckbox, AdminForm } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { useAdminForm } from '../ui/use-form.ts'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  /** Null for a new category. */
  category: CategoryRecord | null
}

const BLANK = {
  name_en: '',
  name_bn: '',
  description: '',
  delivery_group: 'produce',
  cod_allowed: true,
  final_weighing_days: null as number | null,
}

/** Edits a category: names, and the rules for its products. */
export function Page({ category }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const form = useAdminForm({
    id: `category-${category?.id ?? 'new'}`,
    initial: category ? fieldsOf(category) : BLANK,
    ...(category ? { version: category.version } : {}),
    schema: category ? categoryBody : newCategoryBody,
    save: (values) =>
      adminPost<{ category: CategoryRecord; redirect?: string }>(
        category ? `/admin/category/update/${category.id}` : '/admin/category/store',
        values,
        category ? {} : { once: 'category-new' },
      ),
    onSaved(answer) {
      if (answer.redirect) location.assign(answer.redirect)
      return fieldsOf(answer.category)
    },
  })
  const isFixed = category?.is_protected ?? false
  return (
    <AdminLayout
      title={category ? (lang === 'bn' ? category.name_bn : category.name_en) : t('categories.new')}
      note={isFixed ? <span className="chip chip-stone">{t('categories.protected-chip')}</span> : null}
      back={{ href: '/admin/categories', label: t('admin.nav.categories') }}
    >
      <AdminForm form={form} readOnly={!can('catalog.write')} cancelHref="/admin/categories">
        <FormSection title={t('categories.names')} hint={isFixed ? t('categories.protected-hint') : undefined}>
          <FormRow>
            <FormText name="name_en" label={t('categories.name-en')} />
            <FormText name="name_bn" label={t('categories.name-bn')} lang="bn" />
          </FormRow>
          <FormArea name="description" label={t('categories.description')} isOptional />
        </FormSection>
        <FormSection title={t('categories.rules')}>
          {isFixed ? null : (
            <FormSelect
              name="delivery_group"
              label={t('categories.group')}
              hint={t('categories.group-hint')}
              options={[
                ['produce', t('areas.produce')],
                ['cattle', t('areas.cattle')],
              ]}
            />
          )}
          <FormCheckbox name="cod_allowed" label={t('categories.cod')} hint={t('categories.cod-hint')} />
          <FormNumber name="final_weighing_days" label={t('categories.weighing')} hint={t('categories.weighing-hint')} isOptional />
        </FormSection>
      </AdminForm>
    </AdminLayout>
  )
}

/** The editable fields, with the version that the server checks. */
function fieldsOf({ id: _id, is_protected: _protected, ...rest }: CategoryRecord) {
  return rest
}
