import { useI18n } from '#page/page-context.tsx'
import { DeliveryDay } from './delivery-day.tsx'
import type { Checkout } from './use-checkout.ts'

/** Delivery or collection at the farm, where that is offered, and the day. */
export function DeliveryMethod({ checkout }: { checkout: Checkout }) {
  const { t } = useI18n()
  const { shop, isCollection, change } = checkout
  const { collection } = shop
  const option = (value: boolean, title: string, texts: string[]) => (
    <label
      className={`flex min-h-11 items-start gap-3 rounded-card border px-3.5 py-3 ${isCollection === value ? 'border-leaf-600 bg-leaf-100/60 ring-1 ring-leaf-600' : 'border-stone/40 bg-white'}`}
    >
      <input
        type="radio"
        name="collection"
        value={value ? '1' : '0'}
        checked={isCollection === value}
        onChange={() => change({ isCollection: value, deliveries: 1, deliveryOn: null })}
        className="mt-1 size-5 shrink-0 accent-leaf-600"
      />
      <span className="min-w-0 grow">
        <span className="block font-semibold">{title}</span>
        {texts.map((text) => (
          <span key={text} className="block text-sm break-words text-stone">
            {text}
          </span>
        ))}
      </span>
    </label>
  )
  return (
    <fieldset className="rounded-card border border-line bg-milk p-4 sm:p-6">
      <legend className="float-left mb-3 w-full p-0 text-lg font-semibold">{t('delivery.how')}</legend>
      <div className="clear-both space-y-4">
        {collection === null ? null : (
          <div className="grid gap-2 sm:grid-cols-2">
            {option(false, t('delivery.to-you'), [t('delivery.to-you-text')])}
            {option(true, t('delivery.collect'), [collection.address, collection.note].filter(Boolean))}
          </div>
        )}
        <DeliveryDay checkout={checkout} />
      </div>
    </fieldset>
  )
}
