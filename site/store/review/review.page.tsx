import { useState } from 'react'
import type { OwnReview } from '#features/reviews/types.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'
import { ReviewForm, type ReviewLine } from './review-form.tsx'
import { WrittenReview } from './written-review.tsx'

export interface Props {
  orderId: number
  lines: ReviewLine[]
  reviews: OwnReview[]
  /** All reviews are published: there is nothing left to write. */
  isDone: boolean
  /** The key of the signed link that opened the page. */
  viewKey: string | null
}

/** The products of a delivered order, for its buyer to review. */
export function Page({ orderId, lines, reviews: first, isDone, viewKey }: Props) {
  const { t, lang } = useI18n()
  const [reviews, setReviews] = useState(first)
  const suffix = viewKey === null ? '' : `?key=${encodeURIComponent(viewKey)}`
  return (
    <StoreLayout>
      <div className="mx-auto max-w-3xl px-4 py-6">
        <h1 className="text-2xl lg:text-3xl">{t(isDone ? 'review.yours' : 'review.write')}</h1>
        <p className="mt-1 text-stone">
          <a href={`/invoice/${orderId}${suffix}`} className="underline underline-offset-4">
            {t('account.order-no', { id: localizeDigits(lang, String(orderId)) })}
          </a>
          {isDone ? null : ` · ${t('review.intro')}`}
        </p>
        <ul className="mt-5 space-y-5">
          {lines.map((line) => {
            const review = reviews.find((one) => one.product_id === line.product_id) ?? null
            return (
              <li key={line.product_id} className="rounded-card border border-line bg-milk p-4 shadow-soft">
                {review?.state === 'published' ? (
                  <WrittenReview line={line} review={review} />
                ) : (
                  <ReviewForm line={line} review={review} url={`/orders/${orderId}/reviews${suffix}`} onSaved={setReviews} />
                )}
              </li>
            )
          })}
        </ul>
      </div>
    </StoreLayout>
  )
}
