import { Button } from '#components/button.tsx'
import type { ListedProduct } from '#features/catalog/listed-products.server.ts'
import type { CouponRecord } from '#features/pricing/coupons/admin-queries.server.ts'
import { COUPON_SCOPES } from '#features/pricing/coupons/rules.ts'
import { COUPON_KINDS } from '#features/pricing/rules.ts'
import { useI18n } from '#page/page-context.tsx'
import { MAX_TYPED_COUPON_LENGTH } from '#lib/format/input-limits.ts'
import { FormCheckbox, FormNumber, FormRow, FormSection, FormSelect, FormTaka, FormText, useFormField } from '../ui/form.tsx'
import { ProductListField } from '../ui/product-list-field.tsx'

type Typed<Value> = Value | string

/** The values of the form; numbers are texts while they are typed. */
export interface CouponValues {
  code: string
  kind: CouponRecord['kind']
  percent: Typed<number>
  value: Typed<number>
  max_discount: Typed<number | null>
  scope: CouponRecord['scope']
  products: ListedProduct[]
  category_ids: number[]
  min_subtotal: Typed<number>
  starts_at: string | null
  ends_at: string | null
  max_uses: Typed<number | null>
  max_uses_per_customer: Typed<number | null>
  first_order_only: boolean
  active: boolean
  note: string
  version?: number
}

export interface CategoryChoice {
  id: number
  name: string
}

interface CouponFieldsProps {
  values: CouponValues
  categories: CategoryChoice[]
  readOnly: boolean
}

/** The fields of a coupon: code, discount, products, limits. */
export function CouponFields({ values, categories, readOnly }: CouponFieldsProps) {
  const { t } = useI18n()
  return (
    <>
      <FormSection title={t('coupons.code')}>
        <CodeField readOnly={readOnly} />
        <FormText name="note" label={t('coupons.note')} hint={t('coupons.note-hint')} isOptional />
        <FormCheckbox name="active" label={t('coupons.active')} hint={t('coupons.active-hint')} />
      </FormSection>
      <FormSection title={t('coupons.worth')}>
        <FormSelect name="kind" label={t('coupons.kind')} options={COUPON_KINDS.map((kind) => [kind, t(`coupons.kind.${kind}`)])} />
        <Worth kind={values.kind} />
      </FormSection>
      <FormSection title={t('coupons.scope')} hint={t('coupons.scope-hint')}>
        <FormSelect name="scope" label={t('coupons.on')} options={COUPON_SCOPES.map((scope) => [scope, t(`coupons.scope.${scope}`)])} />
        {values.scope === 'products' ? (
          <ProductListField
            name="products"
            errorName="product_ids"
            label={t('slots.add-product')}
            empty={t('coupons.no-products')}
            readOnly={readOnly}
          />
        ) : null}
        {values.scope === 'categories' ? <CategoryTicks categories={categories} /> : null}
        <FormTaka name="min_subtotal" label={t('coupons.minimum')} hint={t('coupons.minimum-hint')} isOptional />
      </FormSection>
      <FormSection title={t('coupons.limits')}>
        <FormRow>
          <FormText name="starts_at" type="datetime-local" label={t('coupons.starts')} isOptional />
          <FormText name="ends_at" type="datetime-local" label={t('coupons.ends')} isOptional />
          <FormNumber name="max_uses" label={t('coupons.max-uses')} hint={t('coupons.no-limit')} isOptional />
          <FormNumber name="max_uses_per_customer" label={t('coupons.max-each')} hint={t('coupons.no-limit')} isOptional />
        </FormRow>
        <FormCheckbox name="first_order_only" label={t('coupons.first-order')} />
      </FormSection>
    </>
  )
}

const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 8

/** A random code from letters and digits that are not mistaken for each other. */
function newCode(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(CODE_LENGTH)), (number) => LETTERS.charAt(number % LETTERS.length)).join('')
}

function CodeField({ readOnly }: { readOnly: boolean }) {
  const { t } = useI18n()
  const { change } = useFormField('code')
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="grow sm:max-w-72">
        <FormText
          name="code"
          label={t('coupons.code')}
          maxLength={MAX_TYPED_COUPON_LENGTH}
          autoCapitalize="characters"
          spellCheck={false}
          className="tabular-nums uppercase"
        />
      </div>
      {readOnly ? null : (
        <Button kind="secondary" className="min-h-12" onClick={() => change(newCode())}>
          {t('coupons.generate')}
        </Button>
      )}
    </div>
  )
}

function Worth({ kind }: { kind: CouponRecord['kind'] }) {
  const { t } = useI18n()
  if (kind === 'others') return <FormTaka name="value" label={t('coupons.value')} />
  if (kind === 'free_shipping')
    return <FormTaka name="value" label={t('coupons.delivery-left')} hint={t('coupons.delivery-left-hint')} isOptional />
  return (
    <FormRow>
      <FormNumber name="percent" label={t('coupons.percent')} />
      <FormTaka name="max_discount" label={t('coupons.cap')} hint={t('coupons.cap-hint')} isOptional />
    </FormRow>
  )
}

function CategoryTicks({ categories }: { categories: CategoryChoice[] }) {
  const { t } = useI18n()
  const { value, error, change } = useFormField('category_ids')
  const chosen = value as number[]
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">{t('coupons.categories')}</legend>
      {error ? (
        <p role="alert" className="text-sm font-semibold text-terracotta">
          {error}
        </p>
      ) : null}
      <div className="grid grid-cols-1 sm:grid-cols-2">
        {categories.map(({ id, name }) => (
          <label key={id} className="flex min-h-11 items-center gap-2.5">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-leaf-600"
              checked={chosen.includes(id)}
              onChange={(event) => change(event.target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
            />
            <span className="wrap-anywhere">{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
