import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { offeredQuantities, parseSizes } from '#features/catalog/quantity-rules.ts'
import { quantityPrice } from '#features/catalog/shown-price-rules.ts'
import type { ProductJson } from '#features/catalog/types.ts'
import { formatTaka } from '#lib/format/money.ts'
import { formatQuantity } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { type CartItem, quantityMilli } from '../rules.ts'
import { changeCart, removeFromCart, setQuantity, useCartItem } from './cart-store.ts'
import { QuantityStepper } from './quantity-stepper.tsx'
import { useAddToCart } from './use-add-to-cart.ts'

/** The quantities on a card: as many as stand side by side on a phone. */
const CARD_PACKS = 3

interface PacksProps {
  product: ProductJson
  /** How many quantities are offered; sizes beyond are reached with the stepper. */
  count?: number
  /** Stock in thousandths; null when not known. Larger packs are not offered. */
  stockMilli?: number | null
}

/** Quantities with their price that add a product to the cart. A stepper takes their place while the product is in the cart. */
export function Packs({ product, count = CARD_PACKS, stockMilli = null }: PacksProps) {
  const { t, lang } = useI18n()
  const add = useAddToCart()
  const item = useCartItem(product.id)
  const [removed, setRemoved] = useState<CartItem | null>(null)
  const { box, followSwap } = useFocusOnSwap(item !== null)
  if (product.is_unique) return null
  const priceOf = (milli: number) => formatTaka(quantityPrice(product, milli), lang)
  const packs = offeredQuantities(parseSizes(product.size), count).filter((milli) => stockMilli === null || milli <= stockMilli)
  return (
    <div ref={box} role="group" aria-label={product.product_type} className="packs needs-script">
      {item === null && removed ? (
        <p role="status" className="flex items-center justify-between gap-x-2 text-sm text-stone">
          {t('catalog.removed')}
          <Button
            kind="quiet"
            size="small"
            className="underline"
            onClick={() => {
              followSwap()
              putBack(removed)
            }}
          >
            {t('cart.undo')}
          </Button>
        </p>
      ) : null}
      {/* Hidden packs hold the room of the stepper: nothing moves when one takes the place of the other. */}
      <div className="packs-room">
        <div className={`packs-row ${item ? 'invisible' : ''}`}>
          {packs.map((milli) => (
            <button
              key={milli}
              type="button"
              data-add={product.id}
              data-milli={milli}
              className="pack"
              aria-label={t('catalog.add-pack', { quantity: formatQuantity(milli, product.unit, lang), price: priceOf(milli) })}
              onClick={() => {
                followSwap()
                setRemoved(null)
                add(product, milli)
              }}
            >
              <span>{formatQuantity(milli, product.unit, lang)}</span>
              <b>{priceOf(milli)}</b>
            </button>
          ))}
        </div>
        {item ? (
          <QuantityStepper
            item={item}
            stockMilli={stockMilli}
            onChange={(quantity) => setQuantity(product.id, quantity)}
            onRemove={() => {
              followSwap()
              setRemoved(item)
              removeFromCart(product.id)
            }}
          >
            <span className="block text-xs font-normal text-stone">{priceOf(quantityMilli(item))}</span>
          </QuantityStepper>
        ) : null}
      </div>
    </div>
  )
}

/** Adds a removed line again, at the end, unless the product is back. */
function putBack(line: CartItem): void {
  changeCart((items) => (items.some(({ productId }) => productId === line.productId) ? items : [...items, line]))
}

/** The pressed button disappears with its row: the keyboard goes on at the first button of the other row, or at plus of the stepper. */
function useFocusOnSwap(inCart: boolean) {
  const box = useRef<HTMLDivElement>(null)
  const pressed = useRef(false)
  useEffect(() => {
    if (pressed.current)
      box.current?.querySelector<HTMLElement>(inCart ? '.stepper > :last-child' : 'button')?.focus({ preventScroll: true })
    pressed.current = false
  }, [inCart])
  return { box, followSwap: () => void (pressed.current = true) }
}
