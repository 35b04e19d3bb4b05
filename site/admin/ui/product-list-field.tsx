import { useState } from 'react'
import { Combobox } from '#components/combobox.tsx'
import { focusBeside } from '#components/focus-beside.ts'
import type { ListedProduct } from '#features/catalog/listed-products.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { nameOf, useProductSearch } from '../orders/product-picker.tsx'
import { moved, useDragOrder } from './drag-order.ts'
import { useFormField } from './form.tsx'
import { DragHandle, MoveButtons } from './move-buttons.tsx'
import { CloseIcon } from './icons.tsx'

interface ProductListFieldProps {
  /** The form's value: `ListedProduct[]`. */
  name: string
  /** Field of the errors, where the body takes ids. */
  errorName?: string
  label: string
  empty: string
  /** The order is meaningful and can be changed. */
  isOrdered?: boolean
  readOnly?: boolean
}

/** Products chosen by searching, in their order. */
export function ProductListField({ name, errorName = name, label, empty, isOrdered = false, readOnly = false }: ProductListFieldProps) {
  const { t, lang } = useI18n()
  const { value, change } = useFormField(name)
  const { error } = useFormField(errorName)
  const products = value as ListedProduct[]
  const [position, setPosition] = useState('')
  const move = (from: number, to: number) => {
    change(moved(products, from, to))
    setPosition(localizeDigits(lang, `${products[from]!.name}: ${to + 1} / ${products.length}`))
  }
  const { list, handleOf, rowOf } = useDragOrder<HTMLOListElement>(move)
  return (
    <div className="grid gap-3">
      {readOnly ? null : (
        <ProductSearch
          label={label}
          error={error}
          onFind={(found) => products.some(({ id }) => id === found.id) || change([...products, found])}
        />
      )}
      {products.length === 0 ? (
        <p className="rounded-card border border-dashed border-line px-4 py-6 text-center text-stone">{empty}</p>
      ) : null}
      <p role="status" className="sr-only">
        {position}
      </p>
      <ol ref={list} aria-label={label} className={products.length === 0 ? 'hidden' : 'rounded-card border border-line bg-white'}>
        {products.map((product, index) => (
          <li key={product.id} {...rowOf(index)} className="flex min-h-12 items-center gap-1 border-b border-line ps-1 last:border-b-0">
            {isOrdered && !readOnly ? <DragHandle {...handleOf(index)} /> : <span className="ps-2" />}
            <span className="min-w-0 grow py-1.5 wrap-anywhere">
              {product.name}{' '}
              <span className="tabular-nums inline-block text-stone">
                ({product.tag_number ?? `#${localizeDigits(lang, String(product.id))}`})
              </span>
              {product.status === 'in-stock' ? null : <span className="chip chip-stone ms-2">{t(`catalog.status.${product.status}`)}</span>}
              {product.visible ? null : <span className="chip chip-stone ms-2">{t('moving.hidden')}</span>}
            </span>
            {isOrdered && !readOnly ? <MoveButtons name={product.name} index={index} count={products.length} onMove={move} /> : null}
            {readOnly ? null : (
              <button
                type="button"
                aria-label={t('moving.remove', { name: product.name })}
                title={t('moving.remove', { name: product.name })}
                className="grid size-11 shrink-0 place-items-center rounded-card text-leaf-800 hover:bg-leaf-100"
                onClick={(event) => {
                  focusBeside(event, 'li', 'product-search')
                  change(products.filter((one) => one !== product))
                }}
              >
                <CloseIcon size={18} />
              </button>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Search field that adds a product per choice. */
function ProductSearch({ label, error, onFind }: { label: string; error: string | undefined; onFind(product: ListedProduct): void }) {
  const { t, lang } = useI18n()
  const { search, found, noneText } = useProductSearch()
  const [typed, setTyped] = useState('')
  return (
    <Combobox
      id="product-search"
      label={label}
      error={error}
      value={typed}
      placeholder={t('admin-orders.product-hint')}
      listLabel={t('admin-orders.products-found')}
      noneText={noneText}
      onChange={(text) => {
        const chosen = found.find((one) => nameOf(one, lang) === text)
        setTyped(chosen ? '' : text)
        search(chosen ? '' : text)
        if (chosen) onFind({ id: chosen.id, name: chosen.name, tag_number: chosen.tag_number, status: chosen.status, visible: true })
      }}
      match={() => found.map((one) => ({ value: nameOf(one, lang), label: nameOf(one, lang) }))}
    />
  )
}
