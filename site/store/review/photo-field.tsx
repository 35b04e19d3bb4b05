import { useId } from 'react'
import { buttonClass } from '#components/button.tsx'
import { focusIfLost } from '#components/focus-beside.ts'
import { CloseIcon, ImagesIcon } from '#components/icons.tsx'
import { MAX_REVIEW_PICTURES } from '#features/reviews/rules.ts'
import type { ReviewPicture } from '#features/reviews/types.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { shrinkPicture } from '#page/shrink-picture.ts'

/** A photo that is sent with the review. */
export interface ChosenPhoto {
  blob: Blob
  /** A data: URL to show it. */
  preview: string
}

interface Props {
  stored: ReviewPicture[]
  onStored: (next: ReviewPicture[]) => void
  photos: ChosenPhoto[]
  onPhotos: (change: (now: ChosenPhoto[]) => ChosenPhoto[]) => void
  /** Chosen photos are being shrunk: the review is not sent without them. */
  busy: boolean
  onBusy: (busy: boolean) => void
  error: string | undefined
}

/** Up to three photos: those of the saved review, and new ones, which are shrunk before they are sent. */
export function PhotoField({ stored, onStored, photos, onPhotos, busy, onBusy, error }: Props) {
  const { t, lang } = useI18n()
  const id = useId()
  const free = MAX_REVIEW_PICTURES - stored.length - photos.length
  const add = async (files: File[]) => {
    onBusy(true)
    const added: ChosenPhoto[] = []
    // One after the other: a phone holds one large picture at a time.
    for (const file of files.slice(0, free)) {
      const blob = await shrinkPicture(file)
      added.push({ blob, preview: await dataUrl(blob) })
    }
    onPhotos((now) => [...now, ...added])
    onBusy(false)
  }
  const shown = [
    ...stored.map((one) => ({
      key: String(one.image_id),
      src: `/uploads/${one.picture.token}-${one.picture.widths[0]}.webp`,
      remove: () => onStored(stored.filter((other) => other !== one)),
    })),
    ...photos.map((one, index) => ({
      key: `new-${index}`,
      src: one.preview,
      remove: () => onPhotos((now) => now.filter((other) => other !== one)),
    })),
  ]
  return (
    <div role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-hint`}>
      <p id={`${id}-label`} className="font-semibold">
        {t('review.photos')}
      </p>
      <ul className="mt-1 flex flex-wrap gap-3">
        {shown.map(({ key, src, remove }, index) => (
          <li key={key} className="relative">
            <img
              src={src}
              alt={t('review.photo-number', { number: formatNumber(index + 1, lang) })}
              width={96}
              height={96}
              className="size-24 rounded-card bg-sand object-cover"
            />
            <button
              type="button"
              aria-label={t('review.remove-photo', { number: formatNumber(index + 1, lang) })}
              className="absolute -end-2 -top-2 grid size-11 place-items-center"
              onClick={() => {
                remove()
                focusIfLost(`[aria-labelledby="${id}-label"] :is(button, input)`)
              }}
            >
              <span className="grid size-7 place-items-center rounded-pill bg-ink text-white">
                <CloseIcon size={16} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {free > 0 ? (
        <label
          className={buttonClass({ kind: 'secondary', size: 'small' }, 'relative mt-2 min-h-11 cursor-pointer focus-within:outline-2')}
        >
          <ImagesIcon size={18} />
          {t(busy ? 'review.preparing' : 'review.add-photos')}
          <input
            type="file"
            accept="image/jpeg,image/png,image/webp"
            multiple={free > 1}
            disabled={busy}
            className="absolute inset-0 w-full cursor-pointer opacity-0"
            onChange={(event) => {
              void add([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        </label>
      ) : null}
      <p
        id={`${id}-hint`}
        role={error ? 'alert' : undefined}
        className={`mt-1 text-sm ${error ? 'font-semibold text-terracotta' : 'text-stone'}`}
      >
        {error ?? t('review.photos-hint')}
      </p>
    </div>
  )
}

/** The content security policy allows data: URLs of pictures, and no blob: ones. */
function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => resolve(''))
    reader.readAsDataURL(blob)
  })
}
