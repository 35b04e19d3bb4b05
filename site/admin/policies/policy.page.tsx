import { useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { policyBody } from '#features/catalog/policies/forms.ts'
import type { PolicyRecord } from '#features/catalog/policies/queries.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { useI18n } from '#page/page-context.tsx'
import { PlainText } from '#components/plain-text.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { FormArea, FormCheckbox, FormSection, FormText, AdminForm } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { useAdminForm } from '../ui/use-form.ts'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  policy: PolicyRecord
}

/** Edits a policy page in both languages, with a preview. */
export function Page({ policy }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [shown, setShown] = useState<Lang>(lang)
  const form = useAdminForm({
    id: `text-${policy.slug}`,
    initial: fieldsOf(policy),
    version: policy.version,
    schema: policyBody,
    save: (values) => adminPost<{ policy: PolicyRecord }>(`/admin/texts/${policy.slug}`, values),
    onSaved: (answer) => fieldsOf(answer.policy),
  })
  const { values } = form
  return (
    <AdminLayout
      title={t(`texts.${policy.slug}`)}
      back={{ href: '/admin/texts', label: t('admin.nav.texts') }}
      actions={
        policy.version > 0 ? (
          <ButtonLink kind="secondary" href={`/${policy.slug}`} target="_blank">
            {t('texts.open')}
          </ButtonLink>
        ) : null
      }
    >
      <div className="grid grid-cols-1 gap-5 xl:grid-cols-2">
        <AdminForm form={form} readOnly={!can('catalog.write')} cancelHref="/admin/texts">
          {policy.is_draft ? (
            <FormSection title={t('texts.draft')} hint={t('texts.draft-hint')}>
              <FormCheckbox name="is_draft" label={t('texts.is-draft')} />
            </FormSection>
          ) : null}
          <FormSection title={t('texts.in-en')} hint={t('texts.how')}>
            <FormText name="title_en" label={t('texts.heading')} />
            <FormArea name="body_en" label={t('texts.body')} rows={16} />
          </FormSection>
          <FormSection title={t('texts.in-bn')} hint={t('texts.how')}>
            <FormText name="title_bn" label={t('texts.heading')} lang="bn" />
            <FormArea name="body_bn" label={t('texts.body')} rows={16} />
          </FormSection>
        </AdminForm>
        <section
          aria-label={t('texts.preview')}
          className="admin-card self-start p-4 sm:p-5 xl:sticky xl:top-4 xl:max-h-[calc(100dvh-2rem)] xl:overflow-y-auto"
        >
          <div className="mb-4 flex flex-wrap items-center gap-2">
            <h2 className="me-auto text-lg">{t('texts.preview')}</h2>
            {(['en', 'bn'] as const).map((one) => (
              <Button
                key={one}
                size="small"
                kind={shown === one ? 'primary' : 'secondary'}
                aria-pressed={shown === one}
                onClick={() => setShown(one)}
              >
                {t(`texts.in-${one}`)}
              </Button>
            ))}
          </div>
          <div lang={shown}>
            <h3 className="text-2xl wrap-anywhere">{values[`title_${shown}`]}</h3>
            <PlainText text={values[`body_${shown}`]} className="mt-4 wrap-anywhere" />
          </div>
        </section>
      </div>
    </AdminLayout>
  )
}

function fieldsOf({ slug: _slug, updated_on: _day, ...rest }: PolicyRecord) {
  return rest
}
