import type { ReactNode } from 'react'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { pricesOf } from '#features/catalog/shown-price-rules.ts'
import type { ProductJson } from '#features/catalog/types.ts'

type Priced = Pick<ProductJson, 'price' | 'discount' | 'discount_type' | 'unit' | 'is_unique' | 'rate_per_kg'>

/** The price of a product, the former price struck through, and the unit or the rate per kg below, with something beside it. */
export function Price({ product, large = false, beside = null }: { product: Priced; large?: boolean; beside?: ReactNode }) {
  const { t, lang } = useI18n()
  const { now, before } = pricesOf(product)
  const off =
    before === null
      ? null
      : product.discount_type === 'percentage'
        ? t('catalog.percent-off', { percent: product.discount ?? 0 })
        : t('catalog.taka-off', { amount: formatTaka(takaToPoisha(product.discount ?? 0), lang) })
  return (
    <div className="tabular-nums">
      <p className="flex flex-wrap items-baseline gap-x-2">
        {before === null ? null : <span className="sr-only">{t('catalog.new-price')}</span>}
        <span className={`font-semibold ${large ? 'text-3xl' : 'text-xl'} leading-tight`}>{formatTaka(now, lang)}</span>
        {before === null ? null : (
          <>
            <span className="sr-only">{t('catalog.old-price')}</span>
            <s className={`text-stone ${large ? 'text-lg' : 'text-sm'}`}>{formatTaka(before, lang)}</s>
            <span className={`rounded-tag bg-terracotta-100 px-1.5 font-semibold text-terracotta ${large ? 'text-base' : 'text-xs'}`}>
              {off}
            </span>
          </>
        )}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-x-2">
        <p className={`text-stone ${large ? 'text-base' : 'text-sm'}`}>
          {product.rate_per_kg !== null
            ? t('catalog.per-kg', { price: formatTaka(takaToPoisha(product.rate_per_kg), lang) })
            : product.is_unique
              ? ' '
              : t('catalog.per-unit', { unit: t(`catalog.unit.${product.unit}`) })}
        </p>
        {beside}
      </div>
    </div>
  )
}
