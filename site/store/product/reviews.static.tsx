import { LeftIcon, RightIcon } from '#components/icons.tsx'
import { Picture } from '#components/picture.tsx'
import { Stars } from '#components/stars.tsx'
import { languageOf } from '#features/reviews/rules.ts'
import type { ProductReviewsJson, ReviewJson } from '#features/reviews/types.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { ShopAnswer } from '../review/shop-answer.tsx'

/** The average rating below a product's name, leading to the reviews. */
export function RatingLine({ reviews, href = '#reviews' }: { reviews: ProductReviewsJson; href?: string }) {
  const { t, lang } = useI18n()
  if (reviews.count === 0) return null
  const average = formatNumber(reviews.average, lang)
  return (
    <a href={href} className="inline-flex min-h-11 items-center gap-2 underline-offset-4 hover:underline">
      <Stars rating={reviews.average} label={t('review.average', { rating: average })} className="text-lg" />
      <b aria-hidden="true">{average}</b>
      <span className="text-stone">({t('review.count', { count: reviews.count })})</span>
    </a>
  )
}

/** The newest reviews of a product, with a link to all of them. */
export function ReviewSection({ productId, reviews }: { productId: number; reviews: ProductReviewsJson }) {
  const { t } = useI18n()
  if (reviews.count === 0) return null
  return (
    <section
      id="reviews"
      aria-labelledby="reviews-title"
      className="lazy-section mt-10 px-4 [contain-intrinsic-block-size:auto_420px] lg:px-0"
    >
      <h2 id="reviews-title" className="text-xl">
        {t('review.heading')}
      </h2>
      <RatingLine reviews={reviews} href={`/product/${productId}/reviews`} />
      <ReviewList reviews={reviews.newest} heading="h3" />
      {reviews.count > reviews.newest.length ? (
        <a
          href={`/product/${productId}/reviews`}
          className="mt-3 inline-flex min-h-11 items-center font-semibold text-leaf-800 underline underline-offset-4"
        >
          {t('review.all', { count: reviews.count })}
        </a>
      ) : null}
    </section>
  )
}

function ReviewList({ reviews, heading }: { reviews: ReviewJson[]; heading: 'h2' | 'h3' }) {
  return (
    <ul className="divide-y divide-line">
      {reviews.map((review) => (
        <li key={review.id} className="py-4">
          <Review review={review} heading={heading} />
        </li>
      ))}
    </ul>
  )
}

function Review({ review, heading: Heading }: { review: ReviewJson; heading: 'h2' | 'h3' }) {
  const { t, lang } = useI18n()
  return (
    <article className="max-w-[68ch]">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
        <Stars rating={review.rating} label={t('review.stars', { rating: formatNumber(review.rating, lang) })} />
        <Heading className="text-base" lang={languageOf(review.name)}>
          {review.name}
        </Heading>
        <time dateTime={review.day} className="text-sm text-stone">
          {formatDay(review.day, lang)}
        </time>
      </header>
      <p className="text-sm text-stone">{t('review.bought')}</p>
      {review.body ? (
        <p className="mt-1.5 wrap-anywhere whitespace-pre-line" lang={languageOf(review.body)}>
          {review.body}
        </p>
      ) : null}
      {review.pictures.length > 0 ? (
        <ul className="mt-2 flex flex-wrap gap-2">
          {review.pictures.map((picture, index) => (
            <li key={picture.token} className="size-24 overflow-hidden rounded-card sm:size-28">
              <a href={`/uploads/${picture.token}-${picture.widths.at(-1)}.webp`} target="_blank" rel="noopener" className="block h-full">
                <Picture
                  picture={picture}
                  alt={t('review.photo', { name: review.name, number: formatNumber(index + 1, lang) })}
                  sizes="7rem"
                  light
                />
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      {review.answer ? <ShopAnswer answer={review.answer} /> : null}
    </article>
  )
}

/** All reviews of a product, a page at a time. */
export function AllReviews({ product, reviews, page }: AllReviewsProps) {
  const { t } = useI18n()
  return (
    <div className="mx-auto max-w-3xl px-4 py-6">
      <a
        href={`/product/${product.id}`}
        className="inline-flex min-h-11 items-center wrap-anywhere text-leaf-800 underline-offset-4 hover:underline"
      >
        <LeftIcon size={18} />
        {product.name}
      </a>
      <h1 className="text-2xl lg:text-3xl">{t('review.of', { name: product.name })}</h1>
      {reviews.count === 0 ? (
        <p className="mt-3 text-stone">{t('review.none')}</p>
      ) : (
        <>
          <RatingLine reviews={reviews} href={`/product/${product.id}`} />
          <ReviewList reviews={page.rows} heading="h2" />
          <nav aria-label={t('review.pages')} className="flex justify-between">
            <Step productId={product.id} cursor={page.prev} isNext={false} />
            <Step productId={product.id} cursor={page.next} isNext />
          </nav>
        </>
      )}
    </div>
  )
}

export interface AllReviewsProps {
  product: { id: number; name: string }
  reviews: ProductReviewsJson
  page: KeysetPage<ReviewJson>
}

function Step({ productId, cursor, isNext }: { productId: number; cursor: Record<string, string> | null; isNext: boolean }) {
  const { t } = useI18n()
  if (cursor === null) return <span />
  return (
    <a
      href={`/product/${productId}/reviews?${new URLSearchParams(cursor).toString()}`}
      rel={isNext ? 'next' : 'prev'}
      className="inline-flex min-h-11 items-center gap-1 font-semibold text-leaf-800 underline underline-offset-4"
    >
      {isNext ? null : <LeftIcon size={18} />}
      {t(isNext ? 'review.older' : 'review.newer')}
      {isNext ? <RightIcon size={18} /> : null}
    </a>
  )
}
