import { useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { SelectField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { useI18n } from '#page/page-context.tsx'
import { blankProduct } from '#features/catalog/products/blank-product.ts'
import { PLACEHOLDER_TAKA } from '#features/catalog/products/product-rules.ts'
import { adminPost, failureText } from '../ui/admin-post.ts'
import { CameraIcon } from '../ui/icons.tsx'
import { FileButton } from '../ui/picture-drop.tsx'
import { UploadList } from '../ui/upload-list.tsx'
import { usePictureUploads } from '../ui/uploads.ts'

/** An uploaded photograph, with the category that was chosen for it. */
interface Photo {
  image: UploadedImage
  category: number
  number: number
}

/** Makes a hidden product of each chosen photograph; name and price are added in its form. */
export function PhotoProducts({ categories }: { categories: { id: number; name: string }[] }) {
  const { t } = useI18n()
  const [category, setCategory] = useState(categories[0]?.id ?? 0)
  const [added, setAdded] = useState(0)
  const [failed, setFailed] = useState<{ photo: Photo; reason: string }[]>([])
  const count = useRef(0)
  const uploads = usePictureUploads((image) => void add({ image, category, number: (count.current += 1) }))

  async function add(photo: Photo) {
    const answer = await adminPost('/admin/products/store', draftOf(photo), { once: `photo-${photo.image.image_id}` })
    if (!answer.ok) return setFailed((before) => [...before, { photo, reason: failureText(answer, t) }])
    setAdded((before) => before + 1)
    showToast(t('setup.photos-done', { count: 1 }))
  }

  async function addAgain() {
    setFailed([])
    for (const { photo } of failed) await add(photo)
  }

  if (categories.length === 0) return null
  return (
    <div className="mt-4 grid gap-3 border-t border-dashed border-line pt-3">
      <h3 className="font-semibold">{t('setup.photos')}</h3>
      <p className="text-sm text-stone">{t('setup.photos-hint')}</p>
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          id="photo-category"
          label={t('setup.photos-category')}
          value={category}
          onChange={(event) => setCategory(Number(event.target.value))}
        >
          {categories.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <FileButton multiple label={t('setup.photos-choose')} icon={<CameraIcon size={18} />} onFiles={(files) => uploads.add(files)} />
      </div>
      <UploadList sending={uploads.sending} onAgain={uploads.again} onDismiss={uploads.dismiss} />
      {failed[0] ? (
        <p role="alert" className="flex flex-wrap items-center gap-2 font-semibold text-terracotta">
          {t('upload.failed', {
            name: failed.map(({ photo }) => t('setup.photo-name', { count: photo.number })).join(', '),
            reason: failed[0].reason,
          })}
          <Button size="small" kind="secondary" onClick={addAgain}>
            {t('upload.again')}
          </Button>
        </p>
      ) : null}
      {added > 0 ? (
        <a
          href="/admin/products?visibility=hidden"
          className="inline-flex min-h-11 items-center font-semibold text-leaf-600 underline underline-offset-4"
        >
          {t('setup.photos-done', { count: added })}
        </a>
      ) : null}
    </div>
  )
}

/** The request body. A hidden product with the placeholder price: the form asks for what shoppers will see. */
function draftOf({ image, category, number }: Photo) {
  const [name_en, name_bn] = (['en', 'bn'] as const).map((lang) => translate(lang)('setup.photo-name', { count: number }))
  return {
    ...blankProduct('goods'),
    category_id: category,
    name_en,
    name_bn,
    price: String(PLACEHOLDER_TAKA),
    visible: false,
    picture_ids: [image.image_id],
  }
}
