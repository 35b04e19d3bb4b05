import { useRef } from 'react'
import { Combobox } from '#components/combobox.tsx'
import { showToast } from '#components/toast.tsx'
import type { SearchResultJson, ProductDetailJson } from '#features/catalog/types.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { useDebouncedSearch } from '../ui/use-debounced-search.ts'

interface ProductPickerProps {
  id: string
  /** Text of the field. */
  value: string
  error: string | undefined
  onType: (text: string) => void
  onChoose: (product: ProductDetailJson, name: string) => void
}

/** Name of a product in a list of options. */
export const nameOf = ({ name, tag_number, id }: SearchResultJson, lang: Lang) =>
  `${name} (${tag_number ?? `#${localizeDigits(lang, String(id))}`})`

/** Finds a product by name, tag or barcode, and loads its details. */
export function ProductPicker({ id, value, error, onType, onChoose }: ProductPickerProps) {
  const { t, lang } = useI18n()
  const { search, found, noneText } = useProductSearch()
  const latest = useRef('')

  async function change(text: string) {
    latest.current = text
    onType(text)
    const chosen = found.find((one) => nameOf(one, lang) === text)
    if (!chosen) return search(text)
    const answer = await call<ProductDetailJson>(`/api/products/${chosen.id}`)
    // Another product was chosen, or typed, while this answer was on its way.
    if (latest.current !== text) return
    if (answer.ok) return onChoose(answer.body, text)
    onType('')
    showToast(t('admin-orders.product-failed', { name: text }), { kind: 'error' })
  }
  return (
    <Combobox
      id={id}
      label={t('admin-orders.product')}
      error={error}
      value={value}
      placeholder={t('admin-orders.product-hint')}
      listLabel={t('admin-orders.products-found')}
      noneText={noneText}
      onChange={change}
      match={() =>
        found.map((one) => ({
          value: nameOf(one, lang),
          label: (
            <span className="flex grow items-baseline justify-between gap-3">
              <span>
                {nameOf(one, lang)}
                {one.status === 'in-stock' ? null : <span className="chip chip-stone ms-2">{t(`catalog.status.${one.status}`)}</span>}
              </span>
              <span className="tabular-nums text-stone">{money(one.price, lang)}</span>
            </span>
          ),
        }))
      }
    />
  )
}

/** Searches products by name, tag or barcode while a text is typed. */
export const useProductSearch = () => useDebouncedSearch('/api/product/search?q=', (products: SearchResultJson[]) => products)
