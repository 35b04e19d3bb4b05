import { useEffect, useRef, useState } from 'react'
import { Combobox } from '#components/combobox.tsx'
import { showToast } from '#components/toast.tsx'
import type { SearchResultJson } from '#features/catalog/types.ts'
import type { ProductDetailJson } from '#features/catalog/types.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'

const WAIT_MS = 200
const MIN_LETTERS = 2

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

  async function change(text: string) {
    onType(text)
    const chosen = found.find((one) => nameOf(one, lang) === text)
    if (!chosen) return search(text)
    const answer = await call<ProductDetailJson>(`/api/products/${chosen.id}`)
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

/** What stands in an empty list of options. */
export const SEARCH_WORDS = {
  searching: 'admin-orders.searching',
  done: 'admin-orders.nothing-found',
  failed: 'admin.find.failed',
} as const

/** The products found for the last input, and the text for an empty result. Input is debounced. */
export function useProductSearch() {
  const { t } = useI18n()
  const [found, setFound] = useState<SearchResultJson[]>([])
  const [state, setState] = useState<keyof typeof SEARCH_WORDS>('done')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function search(text: string) {
    clearTimeout(timer.current)
    running.current?.abort()
    if (text.trim().length < MIN_LETTERS) return setFound([])
    setState('searching')
    timer.current = setTimeout(async () => {
      running.current = new AbortController()
      const answer = await call<SearchResultJson[]>(`/api/product/search?q=${encodeURIComponent(text.trim())}`, {
        signal: running.current.signal,
      })
      if (running.current.signal.aborted) return
      setFound(answer.ok && Array.isArray(answer.body) ? answer.body : [])
      setState(answer.ok ? 'done' : 'failed')
    }, WAIT_MS)
  }
  return { search, found, noneText: t(SEARCH_WORDS[state]) }
}
