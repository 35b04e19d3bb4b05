import { type ReactNode, useEffect, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { SelectField, TextArea, TextField } from '#components/field.tsx'
import { AlertIcon, CowIcon, FruitIcon } from '#components/icons.tsx'
import { Picture } from '#components/picture.tsx'
import { initialQuantity, parseSizes } from '#features/catalog/quantity-rules.ts'
import type { ProductStatus } from '#features/catalog/types.ts'
import { findAreaError, chargesOf } from '#features/orders/checkout/checkout-rules.ts'
import { isOrderable } from '#features/catalog/rules.ts'
import { deliveryCharge } from '#features/pricing/rules.ts'
import { discountOf, unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import { formatTaka, poishaToTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits, formatKg, formatNumber, unitName, toMilli } from '#lib/format/numbers.ts'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { formatDay } from '#lib/format/time.ts'
import { call } from '#page/api-client.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { MAX_TYPED_QUANTITY_LENGTH } from '#lib/format/input-limits.ts'
import { WaitButton } from '../wait/wait-button.tsx'
import { StoreLayout } from '../layout.tsx'
import type { LegacyValues, OrderPlaceProps } from './order-form-data.server.ts'

export type Props = OrderPlaceProps

/** The order form of one product, which works without scripts. A product that cannot be ordered shows the reason. */
export function Page(props: Props) {
  const { product } = props
  return (
    <StoreLayout>
      <div className="mx-auto grid max-w-5xl items-start gap-6 px-4 py-5 lg:grid-cols-[1fr_1.35fr] lg:py-8">
        <ProductSide {...props} />
        {isOrderable(product.status) ? (
          <OrderForm {...props} />
        ) : (
          <NotOrderable product={product}>{props.errors.form ? <Problem text={props.errors.form} /> : null}</NotOrderable>
        )}
      </div>
    </StoreLayout>
  )
}

function ProductSide({ product }: Props) {
  const { t, lang } = useI18n()
  const base = takaToPoisha(product.price)
  const price = unitPriceAfterDiscount(base, discountOf(product.discount, product.discount_type))
  const unit = product.is_unique ? '' : ` / ${unitName(product.unit, lang)}`
  return (
    <section className="overflow-hidden rounded-card border border-line bg-milk">
      <div className="grid aspect-4/3 place-items-center overflow-hidden bg-sand text-stone">
        {product.picture ? (
          <Picture picture={product.picture} alt={product.product_type} sizes="(min-width: 64rem) 26rem, 100vw" first />
        ) : product.delivery_group === 'cattle' ? (
          <CowIcon size={72} />
        ) : (
          <FruitIcon size={72} />
        )}
      </div>
      <div className="p-4 sm:p-5">
        <h1 className="text-2xl">{product.product_type}</h1>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-stone">
          {product.tag_number ? <span className="ear-tag -rotate-2">{product.tag_number}</span> : null}
          {product.weight_kg === null ? null : <span>{formatKg(toMilli(product.weight_kg), lang)}</span>}
          {product.breed}
        </p>
        <p className="tabular-nums mt-2 text-2xl font-semibold">
          {price < base ? <s className="me-1 text-lg font-normal text-stone">{formatTaka(base, lang)}</s> : null} {formatTaka(price, lang)}
          <span className="text-base font-normal text-stone">{unit}</span>
        </p>
        {product.status === 'sold' ? null : <Delivery product={product} />}
        <p className="mt-3">
          <a href={`/product/${product.id}`} className="font-semibold text-leaf-600 underline underline-offset-4">
            {t('legacy.see-product')}
          </a>
        </p>
      </div>
    </section>
  )
}

function Delivery({ product }: Pick<Props, 'product'>) {
  const { t, lang } = useI18n()
  return (
    <>
      <p className="mt-1 text-sm text-stone">
        {t('legacy.expected-delivery', { charge: formatTaka(takaToPoisha(product.shipping_cost), lang) })}
      </p>
      {product.delivery_date ? (
        <p className="mt-1 text-sm text-stone">{t('cart.delivery-date', { day: formatDay(product.delivery_date, lang) })}</p>
      ) : null}
    </>
  )
}

function NotOrderable({ product, children }: { product: Props['product']; children: ReactNode }) {
  const { t } = useI18n()
  useWaiting(product)
  // As `LIST_PATHS`, which would be a part of every page's scripts.
  const { key } = product.categories[0] ?? { key: null }
  const title = { hold: t('legacy.wait-title'), 'out-of-stock': t('legacy.out'), sold: t('legacy.sold'), 'in-stock': '', 'pre-book': '' }[
    product.status
  ]
  return (
    <section className="stitch rounded-card bg-milk p-5 text-leaf-800 sm:p-7">
      <div className="text-ink">
        {children}
        <h2 className="text-xl">{title}</h2>
        {product.note ? <p className="mt-2 font-semibold wrap-anywhere">{product.note}</p> : null}
        {product.status === 'hold' ? <p className="mt-2">{t('legacy.wait-text')}</p> : null}
        <div className="mt-5 flex flex-wrap gap-3">
          <ButtonLink href={key === null || key === 'home' ? '/' : `/${key}`}>{t('legacy.see-others')}</ButtonLink>
          <WaitButton product={product} />
        </div>
      </div>
    </section>
  )
}

const ASK_MS = 10_000

/** A page left open on a held product shows the form by itself when it can be ordered. */
function useWaiting({ id, status }: Props['product']): void {
  useEffect(() => {
    if (status !== 'hold') return
    const timer = setInterval(async () => {
      if (document.visibilityState !== 'visible') return
      const answer = await call<{ products?: { status: ProductStatus }[] } | null>(`/api/product-status-update?productIds=${id}`)
      const now = answer.body?.products?.[0]?.status
      if (now !== undefined && now !== 'hold') location.assign(`/order/place/${id}`)
    }, ASK_MS)
    return () => clearInterval(timer)
  }, [id, status])
}

function Problem({ text }: { text: string }) {
  return (
    <p
      role="alert"
      className="mb-4 flex items-start gap-2 rounded-card bg-terracotta-100 px-3.5 py-2.5 font-semibold whitespace-pre-line text-terracotta"
    >
      <AlertIcon className="mt-0.5 shrink-0" />
      {text}
    </p>
  )
}

function OrderForm(props: Props) {
  const { t } = useI18n()
  const { csrfToken } = usePageContext()
  const { product, errors } = props
  const hasErrors = Object.keys(errors).length > 0
  return (
    <form method="post" action={`/order-store?pid=${product.id}`} noValidate className="rounded-card border border-line bg-milk p-4 sm:p-6">
      <h2 className="mb-3 text-xl">{t('legacy.heading')}</h2>
      {hasErrors ? <Problem text={errors.form ?? errors.shipping_cost ?? t('legacy.problems')} /> : null}
      <input type="hidden" name="_token" value={csrfToken} />
      <input type="hidden" name="pid" value={product.id} />
      <OrderFields {...props} />
      <fieldset className="mt-5">
        <legend className="font-semibold">{t('legacy.payment')}</legend>
        <label className="mt-1.5 flex items-center gap-3 rounded-card border border-leaf-600 bg-leaf-100/60 px-3.5 py-3">
          <input type="radio" name="payment_gateway" value="pgw" defaultChecked required className="size-5 accent-leaf-600" />
          <span className="font-semibold">{t('legacy.gateway')}</span>
        </label>
        {errors.payment_gateway ? <p className="mt-1.5 font-semibold text-terracotta">{errors.payment_gateway}</p> : null}
      </fieldset>
      <p className="mt-4 text-sm text-stone">
        {t('legacy.terms')}{' '}
        {(
          [
            ['/terms-condition', 'terms.terms'],
            ['/privacy-policy', 'terms.privacy'],
            ['/return-refund', 'terms.returns'],
            ['/shipping-info', 'terms.shipping'],
          ] as const
        ).map(([href, key], index) => (
          <span key={href}>
            {index > 0 ? ', ' : ''}
            <a href={href} className="underline underline-offset-4">
              {t(key)}
            </a>
          </span>
        ))}
      </p>
      <Button type="submit" size="large" full className="mt-5">
        {t('legacy.submit')}
      </Button>
    </form>
  )
}

function OrderFields({ product, areas, values, errors }: Props) {
  const { t, lang } = useI18n()
  const [areaId, setAreaId] = useState(values.area)
  // A browser may fill the field by itself, before the page listens.
  useEffect(() => setAreaId((document.getElementById('area') as HTMLSelectElement).value), [])
  const area = areas.find(({ id }) => String(id) === areaId) ?? null
  const own = takaToPoisha(product.shipping_cost)
  const charge = deliveryCharge([{ deliveryGroup: product.delivery_group, shipping: own }], chargesOf(area))
  const shipping = charge.ok ? charge.value : own
  const text = (name: keyof LegacyValues) => ({
    id: name,
    name,
    defaultValue: values[name],
    error: errors[name],
    maxLength: TEXT_LIMIT,
    required: true,
  })
  return (
    <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
      <input type="hidden" name="shipping_cost" value={poishaToTaka(shipping)} />
      <TextField {...text('full_name')} label={t('legacy.full-name')} autoComplete="name" />
      <TextField {...text('phone')} label={t('details.phone')} type="tel" inputMode="tel" autoComplete="tel" />
      <TextField {...text('email')} label={t('details.email')} type="email" inputMode="email" autoComplete="email" />
      <QuantityField product={product} value={values.quantity} error={errors.quantity} />
      <SelectField
        id="area"
        name="area"
        label={t('details.area')}
        defaultValue={values.area}
        error={errors.area}
        required
        autoComplete="address-level2"
        onChange={({ target }) => setAreaId(target.value)}
      >
        <option value="">{t('details.choose-area')}</option>
        {areas.map((area) => (
          <option key={area.id} value={area.id} disabled={findAreaError(area, [product.delivery_group]) !== null}>
            {area.area_name}
          </option>
        ))}
      </SelectField>
      <TextField {...text('landmark')} label={t('details.landmark')} />
      <div className="sm:col-span-2">
        <TextArea
          {...text('delivery_address')}
          label={t('legacy.delivery-address')}
          hint={t('details.address-hint')}
          rows={2}
          autoComplete="street-address"
        />
      </div>
      {area ? (
        <p role="status" className="tabular-nums font-semibold sm:col-span-2">
          {t('legacy.delivery', { charge: formatTaka(shipping, lang) })}
        </p>
      ) : null}
    </div>
  )
}

function QuantityField({ product, value, error }: { product: Props['product']; value: string; error?: string }) {
  const { t, lang } = useI18n()
  const sizes = parseSizes(product.size)
  const unit = unitName(product.unit, lang)
  if (product.is_unique)
    return (
      <TextField
        id="quantity"
        name="quantity"
        label={t('legacy.quantity')}
        defaultValue={localizeDigits(lang, '1')}
        readOnly
        error={error}
        inputMode="numeric"
      />
    )
  const hint =
    sizes.length > 0
      ? t('legacy.quantity-hint', { sizes: `${sizes.map((size) => formatNumber(size / 1000, lang)).join(', ')} ${unit}` })
      : undefined
  return (
    <TextField
      id="quantity"
      name="quantity"
      label={`${t('legacy.quantity')} (${unit})`}
      hint={hint}
      defaultValue={value || localizeDigits(lang, String(initialQuantity(sizes) / 1000))}
      error={error}
      required
      inputMode="decimal"
      autoComplete="off"
      maxLength={MAX_TYPED_QUANTITY_LENGTH}
    />
  )
}
