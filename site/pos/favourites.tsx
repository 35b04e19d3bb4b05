import { type RefObject, useEffect, useState } from 'react'
import type { SearchResultJson } from '#features/catalog/types.ts'
import type { FavouriteTile } from '#features/pos/favourites.server.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { usePermissions } from '../admin/ui/use-permissions.ts'
import { onCatalogChange } from './device/catalog.ts'
import { canBeSold, productOnDevice } from './find-product.ts'
import { type AddOptions, useAddScanned } from './use-add-scanned.ts'
import { Added, Spoken } from './spoken.tsx'
import { useScanFeedback } from './use-scan-feedback.ts'

interface FavouritesProps extends Omit<AddOptions, 'notify'> {
  tiles: readonly FavouriteTile[]
  box: RefObject<HTMLInputElement | null>
}

/** The products without a barcode that are sold most, as buttons by category. A press adds one unit. Works offline. */
export function Favourites({ tiles, box, ...adding }: FavouritesProps) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [chosen, setChosen] = useState<string | null>(null)
  const { notify, feedback } = useScanFeedback()
  const { bind } = useAddScanned({ ...adding, notify })
  // Prices and stock follow the device's catalog.
  const [, refresh] = useState({})
  useEffect(() => onCatalogChange(() => refresh({})), [])
  const categories = [...new Set(tiles.map(({ category }) => category))]
  const shown = chosen !== null && categories.includes(chosen) ? chosen : null
  const products = tiles.filter(({ category }) => shown === null || category === shown).flatMap(({ id }) => productOnDevice(id, lang) ?? [])
  const priceOf = (product: SearchResultJson) =>
    canBeSold(product)
      ? `${formatTaka(takaToPoisha(product.price), lang)} ${t('catalog.per-unit', { unit: t(`catalog.unit.${product.unit}`) })}`
      : t('catalog.status.out-of-stock')
  if (tiles.length === 0 && !can('catalog.write')) return null
  return (
    <section aria-labelledby="pos-favourites" className="min-w-0 max-lg:mb-4 lg:flex lg:min-h-0 lg:grow lg:flex-col">
      <div className="mb-2 flex shrink-0 items-center gap-2">
        <h2 id="pos-favourites" className="sr-only">
          {t('pos.favourites')}
        </h2>
        <div className="relative flex min-w-0 grow items-center gap-2 overflow-x-auto">
          {categories.length > 1
            ? [null, ...categories].map((category) => (
                <button
                  key={category ?? ''}
                  type="button"
                  aria-pressed={category === shown}
                  className="min-h-11 shrink-0 rounded-full border border-line bg-milk px-3.5 text-sm hover:bg-leaf-100 aria-pressed:border-leaf-600 aria-pressed:bg-leaf-100 aria-pressed:font-semibold"
                  onClick={() => setChosen(category)}
                >
                  {category ?? t('pos.favourites-all')}
                </button>
              ))
            : null}
        </div>
        {can('catalog.write') ? (
          <a
            href="/admin/quick-orders/favourites"
            className="tap shrink-0 text-sm whitespace-nowrap text-leaf-800 underline underline-offset-4 max-sm:min-h-11"
          >
            {t(tiles.length === 0 ? 'pos.favourites-add' : 'pos.favourites-edit')}
          </a>
        ) : null}
      </div>
      <Spoken>
        <Added feedback={feedback} />
      </Spoken>
      {tiles.length === 0 ? <p className="text-sm text-stone">{t('pos.favourites-empty')}</p> : null}
      <ul className="grid gap-2 max-lg:auto-cols-[10.5rem] max-lg:grid-flow-col max-lg:overflow-x-auto max-lg:pb-1 lg:min-h-0 lg:grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] lg:content-start lg:overflow-y-auto">
        {products.map((product) => (
          <li key={product.id}>
            <button
              type="button"
              disabled={!canBeSold(product)}
              className="grid h-full min-h-16 w-full grid-cols-[auto_minmax(0,1fr)] items-center gap-x-2 rounded-card border border-line bg-milk p-1.5 text-start text-sm lg:grid-cols-1 lg:content-start hover:border-leaf-600 hover:bg-leaf-100 disabled:opacity-50"
              onClick={() => {
                void bind().add(product)
                box.current?.focus({ preventScroll: true })
              }}
            >
              <img
                src={product.images[0]?.url ?? '/uploads/logo.png'}
                alt=""
                width={52}
                height={52}
                loading="lazy"
                className="row-span-2 size-13 rounded-tag object-cover lg:row-span-1 lg:mb-1 lg:h-14 lg:w-full"
              />
              <span className="line-clamp-2 self-end leading-snug font-semibold">{product.name}</span>
              <span className="tabular-nums self-start text-stone">{priceOf(product)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
