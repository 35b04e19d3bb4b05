import { Button } from '#components/button.tsx'
import { AlertIcon, CowIcon, FruitIcon, TrashIcon } from '#components/icons.tsx'
import type { FreshLine, PriceChange } from '#features/cart/fresh-rules.ts'
import type { CartItem } from '#features/cart/rules.ts'
import { setQuantity } from '#features/cart/ui/cart-store.ts'
import { QuantityStepper } from '#features/cart/ui/quantity-stepper.tsx'
import type { Quote, QuoteLine } from '#features/pricing/quote-rules.ts'
import { quoteProblemText } from '#features/pricing/refusal-text.ts'
import { parseSizes } from '#features/catalog/quantity-rules.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { lineDate } from '#features/pricing/delivery-plan-rules.ts'
import { formatTaka } from '#lib/format/money.ts'
import { formatKg, formatNumber, formatQuantity, unitName, toMilli } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

interface CartLineProps {
  line: FreshLine
  /** The earliest delivery date of an order placed now. */
  listOn: string
  quote: Quote
  onRemove: () => void
  onAccept: () => void
}

/** One product in the cart: quantity, price, and changes since it was added. */
export function CartLine({ line, listOn, quote, onRemove, onAccept }: CartLineProps) {
  const { t } = useI18n()
  const { item, gone, change, reduction } = line
  const priced = quote.lines.find((one) => one.productId === item.productId)
  return (
    <li
      id={`line-${item.productId}`}
      tabIndex={-1}
      className="flex flex-wrap items-start gap-x-3 gap-y-2 p-3 outline-none sm:gap-x-4 sm:p-4"
    >
      <LinePicture line={line} />
      {/* Below the picture in large letters. */}
      <div className="min-w-0 grow basis-36">
        <div className="flex items-start justify-between gap-2">
          <div className="min-w-0 wrap-anywhere">
            <a href={`/product/${item.productId}`} className="font-semibold underline-offset-4 hover:underline">
              {item.productName}
            </a>
            <LineDetails line={line} listOn={listOn} priced={priced} />
          </div>
          <button
            type="button"
            className="-me-2 -mt-2 grid size-11 shrink-0 place-items-center rounded-card text-stone hover:bg-terracotta-100 hover:text-terracotta"
            aria-label={t('cart.remove-of', { name: item.productName })}
            onClick={onRemove}
          >
            <TrashIcon size={19} />
          </button>
        </div>
        {gone ? null : <LineAmounts line={line} priced={priced} />}
      </div>
      {gone ? <GoneNote line={line} onRemove={onRemove} /> : null}
      {change && !gone ? <ChangedPrice change={change} item={item} onAccept={onAccept} /> : null}
      {reduction && !gone ? <ReducedPrice reduction={reduction} item={item} /> : null}
      {gone ? null : <LineProblem line={line} quote={quote} />}
    </li>
  )
}

function LinePicture({ line: { item, gone } }: { line: FreshLine }) {
  return (
    <span
      className={`grid aspect-4/3 w-[min(5.5rem,24vw)] place-items-center sm:w-28 overflow-hidden rounded-tag bg-sand text-stone ${gone ? 'opacity-60 grayscale' : ''}`}
    >
      {item.productImage === '' ? (
        item.deliveryGroup === 'cattle' ? (
          <CowIcon size={36} />
        ) : (
          <FruitIcon size={36} />
        )
      ) : (
        <img src={item.productImage} alt="" width={160} height={120} loading="lazy" className="h-full w-full object-cover" />
      )}
    </span>
  )
}

function LineDetails({ line, listOn, priced }: { line: FreshLine; listOn: string; priced: QuoteLine | undefined }) {
  const { t, lang } = useI18n()
  const { item } = line
  const sizes = parseSizes(item.size)
  const unit = item.isUnique ? null : unitName(item.Unit, lang)
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-stone">
      {item.tagNumber ? <span className="ear-tag -rotate-2 text-sm">{item.tagNumber}</span> : null}
      {line.status === 'pre-book' ? (
        <span className="rounded-tag bg-indigo-100 px-1.5 py-0.5 font-semibold text-indigo">{t('cart.pre-order')}</span>
      ) : null}
      {item.isUnique ? <span className="tabular-nums">{animalText(line, t, lang)}</span> : null}
      {unit !== null && priced ? (
        <span className="tabular-nums">
          {priced.unitPrice < priced.basePrice ? <s className="me-0.5">{formatTaka(priced.basePrice, lang)}</s> : null}{' '}
          {t('cart.each', { price: formatTaka(priced.unitPrice, lang), unit })}
        </span>
      ) : null}
      {sizes.length > 0 && !item.isUnique ? <span>{t('cart.steps-of-sizes', { sizes: sizesInWords(sizes, item.Unit, lang) })}</span> : null}
      {line.deliveryDate ? <span>{t('cart.delivery-date', { day: formatDay(lineDate(listOn, line.deliveryDate), lang) })}</span> : null}
    </div>
  )
}

/** An animal is shown with the weight that decides its price. */
export function animalText({ weightKg }: Pick<FreshLine, 'weightKg'>, t: Translate, lang: Lang): string {
  return weightKg === null ? t('cart.one-animal') : t('cart.animal-weight', { weight: formatKg(toMilli(weightKg), lang) })
}

/** The unit once, after the last size: 5, 10, 20 kg. */
function sizesInWords(sizes: readonly number[], unit: string, lang: Lang): string {
  const before = sizes.slice(0, -1).map((size) => formatNumber(size / 1000, lang))
  return [...before, formatQuantity(sizes.at(-1) ?? 0, unit, lang)].join(', ')
}

function LineAmounts({ line, priced }: { line: FreshLine; priced: QuoteLine | undefined }) {
  const { t, lang } = useI18n()
  const { item } = line
  return (
    <div className="mt-2.5 flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
      {item.isUnique ? (
        <span />
      ) : (
        <QuantityStepper item={item} stockMilli={line.stockMilli} onChange={(quantity) => setQuantity(item.productId, quantity)} />
      )}
      {priced ? (
        <p className="tabular-nums ms-auto text-end">
          <span className="text-lg font-semibold">{formatTaka(priced.total, lang)}</span>
          {priced.discount > 0 ? (
            <span className="block text-sm font-semibold text-leaf-600">
              {t('cart.save', { amount: formatTaka(priced.discount, lang) })}
            </span>
          ) : null}
        </p>
      ) : null}
    </div>
  )
}

function GoneNote({ line: { item, status, note }, onRemove }: { line: FreshLine; onRemove: () => void }) {
  const { t } = useI18n()
  return (
    <div className="w-full flex flex-wrap items-center justify-between gap-2 rounded-tag bg-terracotta-100 px-3 py-2">
      <p className="flex items-start gap-2 font-semibold text-terracotta">
        <AlertIcon size={20} className="mt-0.5 shrink-0" />
        <span>
          {t(status === 'hold' && item.isUnique ? 'cart.gone-hold' : 'cart.gone')}
          {note ? <span className="block text-sm font-normal text-ink">{note}</span> : null}
        </span>
      </p>
      <Button
        kind="danger"
        size="small"
        className="max-sm:w-full max-sm:min-h-11"
        onClick={onRemove}
        aria-label={t('cart.remove-of', { name: item.productName })}
      >
        {t('cart.remove')}
      </Button>
    </div>
  )
}

interface PriceNoteProps {
  item: CartItem
  /** Names the product for readers who reach the message outside its line. */
  named?: boolean
}

/** The old and the higher new price, which needs the customer's consent. */
export function ChangedPrice({ item, named, change, onAccept }: PriceNoteProps & { change: PriceChange; onAccept: () => void }) {
  const { t } = useI18n()
  return (
    <div className="w-full flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-tag bg-tag-100 px-3 py-2">
      <PriceChangeText text={t('cart.changed')} name={named ? item.productName : null} change={change} />
      <Button
        kind="tag"
        size="small"
        className="max-sm:w-full max-sm:min-h-11"
        onClick={onAccept}
        aria-label={`${t('cart.accept')}: ${item.productName}`}
      >
        {t('cart.accept')}
      </Button>
    </div>
  )
}

/** The old and the lower new price, which applies already. */
export function ReducedPrice({ item, named, reduction }: PriceNoteProps & { reduction: PriceChange }) {
  const { t } = useI18n()
  return (
    <div role="status" className="w-full rounded-tag bg-leaf-100 px-3 py-2">
      <PriceChangeText text={t('cart.reduced')} name={named ? item.productName : null} change={reduction} />
    </div>
  )
}

function PriceChangeText({ text, name, change }: { text: string; name: string | null; change: PriceChange }) {
  const { t, lang } = useI18n()
  return (
    <div>
      <p className="font-semibold">
        {name ? `${name}: ` : ''}
        {text}
      </p>
      <p className="tabular-nums text-sm">
        {t('cart.before')} <s>{formatTaka(change.before, lang)}</s> <span aria-hidden="true">→</span> {t('cart.now')}{' '}
        <b>{formatTaka(change.now, lang)}</b>
      </p>
    </div>
  )
}

function LineProblem({ line, quote }: { line: FreshLine; quote: Quote }) {
  const { t, lang } = useI18n()
  const problem = quote.problems.find((one) => 'productId' in one && one.productId === line.item.productId)
  if (!problem) return null
  return (
    <p className="w-full flex items-start gap-2 rounded-tag bg-terracotta-100 px-3 py-2 font-semibold text-terracotta">
      <AlertIcon size={20} className="mt-0.5 shrink-0" />
      {quoteProblemText(problem, t, lang)}
    </p>
  )
}
