import { useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { SelectField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { draftNames, draftTag } from '#features/catalog/products/photo-draft-rules.ts'
import { PLACEHOLDER_TAKA } from '#features/catalog/products/product-rules.ts'
import { blankValues, bodyOf, type ProductChoices } from '../products/form-values.ts'
import { adminPost, failureText } from '../ui/admin-post.ts'
import { CameraIcon } from '../ui/icons.tsx'
import { FileButton } from '../ui/picture-drop.tsx'
import { UploadList } from '../ui/upload-list.tsx'
import { usePictureUploads } from '../ui/uploads.ts'

type Category = ProductChoices['categories'][number]

/** An uploaded photograph, with the category that was chosen for it. */
interface Photo {
  image: UploadedImage
  category: Category
  number: number
}

/** Makes a hidden product of each chosen photograph; name and price are added in its form. */
export function PhotoProducts({ choices }: { choices: ProductChoices }) {
  const { t, lang } = useI18n()
  const { categories } = choices
  const [category, setCategory] = useState(categories.find(({ isCattle }) => !isCattle) ?? categories[0])
  const [added, setAdded] = useState(0)
  const [failed, setFailed] = useState<{ photo: Photo; reason: string }[]>([])
  const count = useRef(0)
  const uploads = usePictureUploads((image) => category && void add({ image, category, number: (count.current += 1) }))

  async function add(photo: Photo) {
    const answer = await adminPost('/admin/products/store', draftOf(photo, choices), { once: `photo-${photo.image.image_id}` })
    if (!answer.ok) return setFailed((before) => [...before, { photo, reason: failureText(answer, t) }])
    setAdded((before) => before + 1)
    showToast(t('setup.photos-done', { count: 1 }))
  }

  async function addAgain() {
    setFailed([])
    for (const { photo } of failed) await add(photo)
  }

  if (!category) return null
  return (
    <div className="mt-4 grid gap-3 border-t border-dashed border-line pt-3">
      <h3 className="font-semibold">{t('setup.photos')}</h3>
      <p className="text-sm text-stone">{t('setup.photos-hint')}</p>
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          id="photo-category"
          label={t('setup.photos-category')}
          value={category.id}
          onChange={(event) => setCategory(categories.find(({ id }) => id === Number(event.target.value)))}
        >
          {categories.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <FileButton multiple label={t('setup.photos-choose')} icon={<CameraIcon size={18} />} onFiles={(files) => uploads.add(files)} />
      </div>
      {category.isCattle ? <p className="text-sm text-stone">{t('setup.photos-animals')}</p> : null}
      <UploadList sending={uploads.sending} onAgain={uploads.again} onDismiss={uploads.dismiss} />
      {failed[0] ? (
        <p role="alert" className="flex flex-wrap items-center gap-2 font-semibold text-terracotta">
          {t('upload.failed', {
            name: failed.map(({ photo }) => namesOf(photo)[lang === 'bn' ? 'name_bn' : 'name_en']).join(', '),
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

const kindOf = ({ category }: Photo) => (category.isCattle ? 'animal' : 'goods')
const namesOf = (photo: Photo) => draftNames(kindOf(photo), photo.number)

/**
 * The request body. A hidden product with the placeholder price: the form asks for what shoppers will see. An animal has a tag of its picture
 * until it gets its own, and is not published before it is weighed.
 */
function draftOf(photo: Photo, choices: ProductChoices) {
  const { image, category } = photo
  return {
    ...bodyOf(blankValues(kindOf(photo), { ...choices, categories: [category] })),
    ...(category.isCattle ? { tag_number: draftTag(image.image_id), weighed_on: '' } : {}),
    ...namesOf(photo),
    price: String(PLACEHOLDER_TAKA),
    visible: false,
    picture_ids: [image.image_id],
  }
}
