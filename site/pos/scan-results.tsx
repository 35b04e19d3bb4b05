import { type KeyboardEvent, useEffect, useState } from 'react'
import type { SearchResultJson } from '#features/catalog/types.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { formatQuantity, unitName, localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { afterPaint } from './after-paint.ts'
import { stockLeft } from './find-product.ts'

/** Rows of the first frame: as many as the list shows without scrolling. */
const FIRST_ROWS = 8

interface ScanResultsProps {
  /** Null: no list. */
  found: readonly SearchResultJson[] | null
  /** The typed text. */
  text: string
  /** Index of the highlighted product; -1: none. */
  active: number
  onChoose: (product: SearchResultJson) => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** The list of products below the scan box. */
export function ScanResults({ found, text, active, onChoose, onKeyDown }: ScanResultsProps) {
  const { t, lang } = useI18n()
  const shown = useShownRows(found, text, active)
  useEffect(() => {
    if (active >= 0) document.getElementById(`pos-found-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div
      id="pos-found"
      role="listbox"
      aria-label={t('pos.results')}
      hidden={found === null}
      className="absolute inset-x-1 top-[5.5rem] z-10 max-h-[60vh] overflow-y-auto rounded-card border border-line bg-milk shadow-soft"
    >
      {found?.length === 0 ? <p className="p-4 text-stone">{t('pos.nothing-found')}</p> : null}
      {shown?.map((product, at) => (
        <div
          key={product.id}
          id={`pos-found-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(product)}
          onKeyDown={onKeyDown}
          className={`flex min-h-14 cursor-pointer items-center gap-3 px-3 py-1.5 hover:bg-leaf-100 ${at === active ? 'bg-leaf-100' : ''}`}
        >
          <img
            src={product.images[0]?.url ?? '/uploads/logo.png'}
            alt=""
            width={44}
            height={44}
            className="size-11 rounded-tag object-cover"
          />
          <span className="min-w-0 grow">
            <span className="block truncate">{product.name}</span>
            <span className="flex flex-wrap items-center gap-x-2 text-sm text-stone">
              {product.tag_number ?? product.barcode ?? `#${localizeDigits(lang, String(product.id))}`}
              <Availability product={product} />
            </span>
          </span>
          <span className="tabular-nums shrink-0 text-end font-semibold">
            {formatTaka(takaToPoisha(product.price), lang)}{' '}
            <span className="text-sm font-normal text-stone">/ {unitName(product.unit, lang)}</span>
          </span>
        </div>
      ))}
    </div>
  )
}

/** The rows to show: those in sight first, the others of the same text after their frame. */
function useShownRows(found: ScanResultsProps['found'], text: string, active: number): ScanResultsProps['found'] {
  const [completeFor, setCompleteFor] = useState<string | null>(null)
  const isPart = found !== null && found.length > FIRST_ROWS && completeFor !== text
  useEffect(() => {
    if (isPart) afterPaint(() => setCompleteFor(text))
  }, [isPart, text])
  return isPart && active < FIRST_ROWS ? found.slice(0, FIRST_ROWS) : found
}

/** The status, and how much of a counted product is left. */
function Availability({ product }: { product: SearchResultJson }) {
  const { t, lang } = useI18n()
  const left = stockLeft(product)
  const isInStock = product.status === 'in-stock'
  const stock = left === null ? null : t('pos.stock-left', { left: formatQuantity(left, product.unit, lang) })
  return (
    <>
      {isInStock && stock ? null : (
        <span className={isInStock ? 'text-leaf-700' : 'chip chip-stone'}>{t(`catalog.status.${product.status}`)}</span>
      )}
      {stock ? <span className="tabular-nums text-leaf-700">{stock}</span> : null}
    </>
  )
}
