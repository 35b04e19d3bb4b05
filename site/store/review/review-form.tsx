import { type FormEvent, useEffect, useId, useState } from 'react'
import { Button } from '#components/button.tsx'
import { TextArea } from '#components/field.tsx'
import { AlertIcon } from '#components/icons.tsx'
import { showToast } from '#components/toast.tsx'
import { MAX_RATING, MAX_REVIEW_LENGTH } from '#features/reviews/rules.ts'
import type { OwnReview, ReviewPicture } from '#features/reviews/types.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { UPLOAD_TIMEOUT_MS } from '#lib/http/upload-timeout.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { readSession, writeSession } from '#page/session-notes.ts'
import { type ChosenPhoto, PhotoField } from './photo-field.tsx'
import { ReviewedProduct } from './written-review.tsx'

export interface ReviewLine {
  product_id: number
  name: string
  picture_url: string | null
}

interface Props {
  line: ReviewLine
  /** The review as saved; null before the first one. */
  review: OwnReview | null
  url: string
  onSaved: (reviews: OwnReview[]) => void
}

type Errors = Partial<Record<'rating' | 'body' | 'pictures', string[]>>

interface Answer {
  message?: string
  errors?: Errors
  reviews?: OwnReview[]
}

interface Fields {
  product_id: number
  rating: number
  body: string
  /** Ids of stored photos. */
  keep: number[]
}

/** Sends a review. Photos come last: the shop checks the fields before it reads them. */
async function sendReview(url: string, fields: Fields, photos: ChosenPhoto[]): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  for (const { blob } of photos) form.append('pictures', blob, 'photo')
  const answer = await call<Answer | null>(url, { method: 'POST', body: form, timeoutMs: UPLOAD_TIMEOUT_MS })
  return answer.body ?? {}
}

/** Rating, text and photos of one product. */
export function ReviewForm({ line, review, url, onSaved }: Props) {
  const { t } = useI18n()
  const { rating, body, type, discard } = useReviewDraft(`review ${url} ${line.product_id}`, review)
  const [stored, setStored] = useState<ReviewPicture[]>(review?.pictures ?? [])
  const [photos, setPhotos] = useState<ChosenPhoto[]>([])
  const [isPreparing, setPreparing] = useState(false)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState<string | null>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || isPreparing) return
    setProblem(null)
    if (rating === 0) return setErrors({ rating: [t('review.choose-rating')] })
    setBusy(true)
    const keep = stored.map(({ image_id }) => image_id)
    const answer = await sendReview(url, { product_id: line.product_id, rating, body, keep }, photos)
    setBusy(false)
    setErrors(answer.errors ?? {})
    const saved = answer.reviews
    if (!saved) return setProblem(answer.errors && Object.keys(answer.errors).length > 0 ? null : (answer.message ?? t('review.failed')))
    discard()
    onSaved(saved)
    setPhotos([])
    setStored(saved.find((one) => one.product_id === line.product_id)?.pictures ?? [])
    showToast(answer.message ?? t('review.saved'))
  }

  return (
    <form noValidate onSubmit={submit} aria-label={line.name} className="space-y-4">
      <ReviewedProduct line={line} />
      {review ? <State review={review} /> : null}
      <RatingField value={rating} error={errors.rating?.[0]} onChange={(stars) => type({ rating: stars })} />
      <TextArea
        label={t('review.text')}
        optionalLabel={t('details.optional')}
        hint={t('review.text-hint')}
        value={body}
        maxLength={MAX_REVIEW_LENGTH}
        error={errors.body?.[0]}
        onChange={(event) => type({ body: event.target.value })}
      />
      <PhotoField
        stored={stored}
        onStored={setStored}
        photos={photos}
        onPhotos={setPhotos}
        busy={isPreparing}
        onBusy={setPreparing}
        error={errors.pictures?.[0]}
      />
      {problem ? (
        <p role="alert" className="rounded-card bg-terracotta-100 px-3 py-2 font-semibold text-terracotta">
          {problem}
        </p>
      ) : null}
      <Button type="submit" busy={busy || isPreparing} className="needs-script">
        {t(busy ? 'review.sending' : review ? 'review.update' : 'review.send')}
      </Button>
    </form>
  )
}

/** Rating and text, which survive a reload until they are sent. */
function useReviewDraft(key: string, review: OwnReview | null) {
  const [typed, setTyped] = useState({ rating: review?.rating ?? 0, body: review?.body ?? '' })
  // After the first paint: server and browser must render the same form first.
  useEffect(() => {
    const stored = readSession(key) as { rating?: unknown; body?: unknown } | null
    if (stored && isRating(stored.rating) && typeof stored.body === 'string') setTyped({ rating: stored.rating, body: stored.body })
  }, [key])
  const type = (part: Partial<typeof typed>) => {
    const next = { ...typed, ...part }
    setTyped(next)
    writeSession(key, next)
  }
  return { ...typed, type, discard: () => writeSession(key, null) }
}

/** Zero: none is chosen yet. */
const isRating = (value: unknown): value is number => Number.isInteger(value) && 0 <= (value as number) && (value as number) <= MAX_RATING

/** Whether staff have seen the review, and why they refused it. */
function State({ review }: { review: OwnReview }) {
  const { t } = useI18n()
  if (review.state === 'refused')
    return <p className="rounded-card bg-mango-100 px-3 py-2">{t('review.is-refused', { reason: review.refusal })}</p>
  return <p className="rounded-card bg-sand px-3 py-2">{t('review.is-waiting')}</p>
}

/** One to five stars as radio buttons. */
function RatingField({ value, error, onChange }: { value: number; error: string | undefined; onChange: (rating: number) => void }) {
  const { t, lang } = useI18n()
  const id = useId()
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="font-semibold">{t('review.rating')}</legend>
      <div className="-ms-2 flex">
        {Array.from({ length: MAX_RATING }, (_, index) => index + 1).map((rating) => (
          <label
            key={rating}
            className="grid size-11 cursor-pointer place-items-center rounded-card has-focus-visible:outline-2 has-focus-visible:outline-leaf-600"
          >
            <input
              type="radio"
              name={`${id}-rating`}
              value={rating}
              checked={value === rating}
              aria-label={t('review.stars', { rating: formatNumber(rating, lang) })}
              className="sr-only"
              onChange={() => onChange(rating)}
            />
            <span aria-hidden="true" className={`text-3xl leading-none ${rating <= value ? 'text-mango' : 'text-stone'}`}>
              {rating <= value ? '★' : '☆'}
            </span>
          </label>
        ))}
      </div>
      {error ? (
        <p id={`${id}-error`} role="alert" className="mt-1 flex items-start gap-1.5 text-sm font-semibold text-terracotta">
          <AlertIcon size={18} className="mt-0.5 shrink-0" />
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
