import { languageOf } from '#features/reviews/rules.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'

/** The shop's answer to a review. */
export function ShopAnswer({ answer }: { answer: string }) {
  const { t } = useI18n()
  const { shop } = usePageContext()
  return (
    <div className="mt-3 rounded-card border-s-4 border-leaf-600 bg-milk px-3 py-2">
      <p className="text-sm font-semibold">{t('review.answer-of', { shop: shop.name })}</p>
      <p className="wrap-anywhere whitespace-pre-line" lang={languageOf(answer)}>
        {answer}
      </p>
    </div>
  )
}
