import { useState } from 'react'
import { Button } from '#components/button.tsx'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import { newPopupBody, popupBody } from '#features/catalog/popups/forms.ts'
import type { PopupRecord } from '#features/catalog/popups/queries.server.ts'
import { dhakaMoment } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { PopupPreview } from './popup-preview.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { DeleteButton } from '../ui/delete-button.tsx'
import { FormRow, FormSection, FormText, FormCheckbox, AdminForm } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { PictureDrop } from '../ui/picture-drop.tsx'
import { useAdminForm } from '../ui/use-form.ts'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  /** Null for a new popup. */
  popup: PopupRecord | null
  now: string
}

type PopupValues = Omit<PopupRecord, 'id' | 'picture' | 'state' | 'version'> & { picture: UploadedImage | null; version?: number }

/** Edits a popup: image, link and period. */
export function Page({ popup, now }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const canWrite = can('catalog.write')
  const [isShown, setShown] = useState(false)
  const form = useAdminForm<PopupValues, { popup: PopupRecord; redirect?: string }>({
    id: `popup-${popup?.id ?? 'new'}`,
    initial: popup ? fieldsOf(popup) : blank(now),
    ...(popup ? { version: popup.version } : {}),
    schema: popup ? popupBody : newPopupBody,
    bodyOf,
    save: (values) =>
      adminPost(popup ? `/admin/popups/${popup.id}` : '/admin/popups/store', bodyOf(values), popup ? {} : { once: 'popup-new' }),
    onSaved(answer) {
      if (answer.redirect) location.assign(answer.redirect)
      return fieldsOf(answer.popup)
    },
  })
  const { values } = form
  const name = popup && (lang === 'bn' ? popup.alt_bn : popup.alt_en)
  return (
    <AdminLayout
      title={name ?? t('popups.new')}
      back={{ href: '/admin/popups', label: t('admin.nav.popups') }}
      actions={
        <>
          <Button kind="secondary" disabled={!values.picture} onClick={() => setShown(true)}>
            {t('popups.preview')}
          </Button>
          {popup && canWrite ? (
            <DeleteButton
              url={`/admin/popups/${popup.id}`}
              question={t('popups.delete-question', { name: name ?? '' })}
              next="/admin/popups"
            />
          ) : null}
        </>
      }
    >
      <AdminForm form={form} readOnly={!canWrite} cancelHref="/admin/popups">
        <FormSection title={t('popups.what')}>
          <PictureDrop
            label={t('popups.picture')}
            value={values.picture ? [values.picture] : []}
            onChange={([picture]) => form.set('picture', picture ?? null, 'image_id')}
            error={form.errorOf('image_id')}
            readOnly={!canWrite}
          />
          <FormRow>
            <FormText name="alt_en" label={t('popups.alt-en')} hint={t('popups.alt-hint')} />
            <FormText name="alt_bn" label={t('popups.alt-bn')} hint={t('popups.alt-hint')} lang="bn" />
          </FormRow>
          <FormText name="link" label={t('popups.link')} hint={t('popups.link-hint')} isOptional placeholder="/kurbani" />
        </FormSection>
        <FormSection title={t('popups.when')} hint={popup ? t('popups.seen-hint') : undefined}>
          <FormRow>
            <FormText name="starts_at" type="datetime-local" label={t('popups.starts')} />
            <FormText name="ends_at" type="datetime-local" label={t('popups.ends')} isOptional />
          </FormRow>
          <FormCheckbox name="active" label={t('popups.active')} hint={t('popups.active-hint')} />
        </FormSection>
      </AdminForm>
      <PopupPreview
        open={isShown}
        onClose={() => setShown(false)}
        picture={values.picture}
        alt={lang === 'bn' ? values.alt_bn : values.alt_en}
        link={values.link}
      />
    </AdminLayout>
  )
}

/** The body takes the id of the image. */
function bodyOf({ picture, ...rest }: PopupValues) {
  return { ...rest, image_id: picture?.image_id ?? null }
}

const blank = (now: string): PopupValues => ({
  picture: null,
  link: '',
  alt_en: '',
  alt_bn: '',
  starts_at: dhakaMoment(new Date(now)),
  ends_at: null,
  active: true,
})

function fieldsOf({ id: _id, state: _state, ...rest }: PopupRecord): PopupValues {
  return rest
}
