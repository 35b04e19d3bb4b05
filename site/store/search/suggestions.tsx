import '#messages/suggestions.ts'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { SearchIcon } from '#components/icons.tsx'
import { productHref } from '#features/catalog/product-href.ts'
import { isOrderable } from '#features/catalog/rules.ts'
import type { SuggestionJson } from '#features/search/types.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { formatKg, unitName, toMilli } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { useSuggestions } from './use-suggestions.ts'

interface SuggestionsProps {
  /** The field of the search form. It stays a plain field; this component listens to it. */
  input: HTMLInputElement
}

const PANEL =
  'absolute inset-x-0 top-full z-30 mt-1 max-h-[min(26rem,60vh)] overflow-y-auto overscroll-contain rounded-card border border-line bg-white text-ink shadow-soft'

/** Suggestions below the search box: products with picture, price and status, and all results. An ARIA combobox whose list is no autocompletion. */
export function Suggestions({ input }: SuggestionsProps) {
  const { t } = useI18n()
  const listId = useId()
  const [typed, setTyped] = useState(input.value)
  const [isOpen, setOpen] = useState(true)
  const [active, setActive] = useState(-1)
  const suggested = useSuggestions(typed)
  const { query, products, state } = suggested
  const count = state === 'ready' && products.length > 0 ? products.length + 1 : 0
  const shown = isOpen && count > 0
  useCombobox(input, { listId, isOpen: shown, active, count, setActive, setOpen, setTyped })
  useEffect(() => setActive(-1), [query])
  const note = { idle: '', ready: products.length === 0 ? t('suggest.none') : '', slow: t('suggest.wait'), failed: t('suggest.failed') }[
    state
  ]
  return (
    <>
      <p role="status" className={isOpen && note !== '' ? `${PANEL} px-3.5 py-3 text-stone` : 'sr-only'}>
        {isOpen ? note || (shown ? t('suggest.found', { count: products.length }) : '') : ''}
      </p>
      <div id={listId} role="listbox" aria-label={t('suggest.label')} hidden={!shown} className={`${PANEL} py-1`}>
        {products.map((product, at) => (
          <Option key={product.id} id={`${listId}-${at}`} href={productHref(product)} isActive={at === active}>
            <Product product={product} />
          </Option>
        ))}
        {shown ? (
          <Option
            id={`${listId}-${products.length}`}
            href={`/search?${new URLSearchParams({ q: query })}`}
            isActive={active === products.length}
          >
            <span className="grid size-12 shrink-0 place-items-center text-leaf-600">
              <SearchIcon />
            </span>
            <span className="min-w-0 font-semibold text-leaf-600 [overflow-wrap:anywhere]">{t('suggest.all', { query })}</span>
          </Option>
        ) : null}
      </div>
    </>
  )
}

interface OptionProps {
  id: string
  href: string
  isActive: boolean
  children: ReactNode
}

/** One choice. The focus stays in the field: pressing must not blur it before the click. */
function Option({ id, href, isActive, children }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      data-href={href}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => location.assign(href)}
      className="flex min-h-14 cursor-pointer items-center gap-3 px-3 py-1 hover:bg-leaf-100 aria-selected:bg-leaf-100"
    >
      {children}
    </div>
  )
}

function Product({ product }: { product: SuggestionJson }) {
  const { t, lang } = useI18n()
  const canBeBought = isOrderable(product.status)
  const weight = product.weight_kg === null ? null : formatKg(toMilli(product.weight_kg), lang)
  const details = [product.tag_number, weight].filter(Boolean).join(' · ')
  const price = formatTaka(takaToPoisha(product.price), lang)
  return (
    <>
      <span className={`block size-12 shrink-0 overflow-hidden rounded-card bg-sand ${canBeBought ? '' : 'saturate-[.35]'}`}>
        {product.picture ? (
          <img src={product.picture} alt="" width={48} height={48} decoding="async" className="size-full object-cover" />
        ) : null}
      </span>
      <span className="min-w-0 grow">
        <span className="line-clamp-1 font-semibold">{product.name}</span>
        <span className="tabular-nums flex flex-wrap gap-x-2 text-sm text-stone">
          {details ? <span>{details}</span> : null}
          <span className={canBeBought ? 'text-leaf-600' : 'font-semibold'}>{t(`suggest.status.${product.status}`)}</span>
        </span>
      </span>
      <span className="tabular-nums shrink-0 text-end font-semibold">
        {price}
        {weight === null ? <span className="block text-sm font-normal text-stone">/ {unitName(product.unit, lang)}</span> : null}
      </span>
    </>
  )
}

interface Combo {
  listId: string
  isOpen: boolean
  active: number
  count: number
  setActive: (at: number) => void
  setOpen: (isOpen: boolean) => void
  setTyped: (typed: string) => void
}

/** Keys and attributes of the field, by the ARIA pattern of a combobox with a listbox. Enter without a chosen option sends the form. */
function useCombobox(input: HTMLInputElement, combo: Combo): void {
  const latest = useRef(combo)
  latest.current = combo
  const { listId, isOpen, active } = combo
  useEffect(() => {
    input.setAttribute('role', 'combobox')
    input.setAttribute('aria-autocomplete', 'list')
    input.setAttribute('aria-controls', listId)
    input.setAttribute('aria-expanded', String(isOpen))
    const option = isOpen && active >= 0 ? document.getElementById(`${listId}-${active}`) : null
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }, [input, listId, isOpen, active])
  useEffect(() => {
    const stop = new AbortController()
    const on = (name: string, listener: (event: Event) => void) => input.addEventListener(name, listener, { signal: stop.signal })
    const show = () => {
      latest.current.setTyped(input.value)
      latest.current.setOpen(true)
    }
    on('input', show)
    on('focus', show)
    on('click', show)
    on('blur', () => latest.current.setOpen(false))
    on('keydown', (event) => handleKey(event as KeyboardEvent, latest.current, show))
    // What was typed since the render.
    latest.current.setTyped(input.value)
    return () => stop.abort()
  }, [input])
}

function handleKey(event: KeyboardEvent, combo: Combo, show: () => void): void {
  if (event.isComposing) return
  const { isOpen, active, count, listId } = combo
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    if (!isOpen) return show()
    // The field itself is the position before the first and after the last option.
    const step = event.key === 'ArrowDown' ? 1 : count
    return combo.setActive(((active + 1 + step) % (count + 1)) - 1)
  }
  if (!isOpen) return
  if (event.key === 'Escape') {
    event.preventDefault()
    combo.setOpen(false)
    combo.setActive(-1)
  } else if (event.key === 'Enter' && active >= 0) {
    event.preventDefault()
    const href = document.getElementById(`${listId}-${active}`)?.dataset['href']
    if (href) location.assign(href)
  }
}
