import { Stars } from '#components/stars.tsx'
import { smallUrl } from '#features/catalog/ui/thumbnail-strip.tsx'
import type { OwnReview } from '#features/reviews/types.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import type { ReviewLine } from './review-form.tsx'
import { ShopAnswer } from './shop-answer.tsx'

/** The product that a review is about. */
export function ReviewedProduct({ line }: { line: ReviewLine }) {
  return (
    <div className="flex items-center gap-3">
      <span className="h-11 w-14 shrink-0 overflow-hidden rounded-tag bg-sand">
        {line.picture_url ? (
          <img src={smallUrl(line.picture_url)} alt="" width={56} height={44} className="h-full w-full object-cover" />
        ) : null}
      </span>
      <h2 className="min-w-0 text-lg wrap-anywhere">{line.name}</h2>
    </div>
  )
}

/** A published review, which its buyer cannot change. */
export function WrittenReview({ line, review }: { line: ReviewLine; review: OwnReview }) {
  const { t, lang } = useI18n()
  return (
    <>
      <ReviewedProduct line={line} />
      <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars rating={review.rating} label={t('review.stars', { rating: formatNumber(review.rating, lang) })} className="text-lg" />
        <span className="rounded-tag bg-leaf-100 px-2 py-0.5 text-sm font-semibold text-leaf-800">{t('review.is-published')}</span>
      </p>
      {review.body ? <p className="mt-2 wrap-anywhere whitespace-pre-line">{review.body}</p> : null}
      {review.answer ? <ShopAnswer answer={review.answer} /> : null}
      <a
        href={`/product/${line.product_id}#reviews`}
        className="mt-2 inline-flex min-h-11 items-center font-semibold text-leaf-800 underline underline-offset-4"
      >
        {t('review.see')}
      </a>
    </>
  )
}
