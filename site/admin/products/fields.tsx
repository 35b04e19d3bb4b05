import { choiceOptions } from '#features/catalog/products/field-values.ts'
import type { ProductKind } from '#features/catalog/products/product-rules.ts'
import type { ProductState } from '#features/catalog/products/product-editor-queries.server.ts'
import { DISCOUNT_TYPES, type ProductStatus, UNITS } from '#features/catalog/types.ts'
import { scaleItemRule } from '#features/pos/scale-label.ts'
import { hasValidCheckDigit } from '#lib/codes/ean.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { MAX_BARCODE_LENGTH, MAX_TAG_LENGTH } from '#features/catalog/limits.ts'
import { FormArea, FormCheckbox, FormNumber, FormRow, FormSection, FormSelect, FormTaka, FormText, useFormField } from '../ui/form.tsx'
import { seasonName } from '#features/catalog/season-name.ts'
import type { ProductChoices } from './form-values.ts'

/** Names, category and visibility. */
export function WhatFields({ choices, kind }: { choices: ProductChoices; kind: ProductKind }) {
  const { t } = useI18n()
  return (
    <FormSection title={t('products.what')}>
      <FormRow>
        <FormText name="name_en" label={t('products.name-en')} />
        <FormText name="name_bn" label={t('products.name-bn')} lang="bn" />
      </FormRow>
      <FormRow>
        <CategorySelect choices={choices} />
        <BarcodeField scales={choices.scales} />
      </FormRow>
      <FurtherCategories choices={choices} />
      <FormRow>
        <FormArea name="description_en" label={t('products.description-en')} rows={5} isOptional />
        <FormArea name="description_bn" label={t('products.description-bn')} rows={5} isOptional />
      </FormRow>
      <FormText name="search_aliases" label={t('products.aliases')} hint={t('products.aliases-hint')} isOptional />
      {kind === 'animal' ? null : <FormText name="sizes" label={t('products.sizes')} hint={t('products.sizes-hint')} isOptional />}
    </FormSection>
  )
}

function CategorySelect({ choices }: { choices: ProductChoices }) {
  const { t } = useI18n()
  return (
    <FormSelect name="category_id" label={t('products.category')} options={choices.categories.map(({ id, name }) => [String(id), name])} />
  )
}

/** Further categories. */
function FurtherCategories({ choices }: { choices: ProductChoices }) {
  const { t } = useI18n()
  const own = useFormField('category_id').value
  const { value, change } = useFormField('further_category_ids')
  const chosen = value as number[]
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">
        {t('products.further')} <span className="optional-label text-sm font-normal text-stone">({t('admin.optional')})</span>
      </legend>
      <div className="flex flex-wrap gap-x-5">
        {choices.categories
          .filter((one) => String(one.id) !== String(own))
          .map((one) => (
            <label key={one.id} className="flex min-h-11 items-center gap-2">
              <input
                type="checkbox"
                className="size-5 accent-leaf-600"
                checked={chosen.includes(one.id)}
                onChange={(event) => change(event.target.checked ? [...chosen, one.id] : chosen.filter((id) => id !== one.id))}
              />
              {one.name}
            </label>
          ))}
      </div>
    </fieldset>
  )
}

/** The barcode field. While typing it checks the check digit, and tells when the code is that of a scale's labels. */
function BarcodeField({ scales }: Pick<ProductChoices, 'scales'>) {
  const { t } = useI18n()
  const code = latinDigits(String(useFormField('barcode').value ?? '')).trim()
  const isRight = hasValidCheckDigit(code)
  const hint = scaleItemRule(code, scales)
    ? t('products.barcode-scale')
    : isRight === null
      ? t('products.barcode-hint')
      : t(isRight ? 'products.barcode-ean' : 'products.barcode-not-ean')
  return (
    <FormText name="barcode" label={t('products.barcode')} hint={hint} maxLength={MAX_BARCODE_LENGTH} isOptional className="tabular-nums" />
  )
}

/** Tag, breed and appearance of an animal. */
export function AnimalFields({ choices }: { choices: ProductChoices }) {
  const { t, lang } = useI18n()
  const seasons = choices.seasons.map((season): [string, string] => [season, seasonName(t, lang, season)])
  // The error is about missing rates, which are added beside this form.
  const toRates = useFormField('season').error ? (
    <a href="/admin/rates" target="_blank" rel="noopener" className="tap inline-block underline underline-offset-4">
      {t('admin.nav.rates')}
    </a>
  ) : undefined
  return (
    <FormSection title={t('products.animal')}>
      <FormRow>
        <FormText
          name="tag_number"
          label={t('products.tag')}
          maxLength={MAX_TAG_LENGTH}
          autoCapitalize="characters"
          className="tabular-nums"
        />
        <FormSelect name="sex" label={t('product.sex')} options={[['', '—'], ...choiceOptions('sex', lang)]} />
      </FormRow>
      <FormRow>
        <FormText name="breed_en" label={t('products.breed-en')} isOptional />
        <FormText name="breed_bn" label={t('products.breed-bn')} lang="bn" isOptional />
      </FormRow>
      <FormRow>
        <FormNumber name="teeth" label={t('products.teeth')} hint={t('products.teeth-hint')} isOptional />
        <FormText name="birth_month" label={t('products.birth-month')} type="month" isOptional />
      </FormRow>
      <FormRow>
        <FormSelect name="coat" label={t('products.coat')} options={[['', '—'], ...choiceOptions('coat', lang)]} />
        <FormSelect name="raised_in" label={t('product.raised-in')} options={[['', '—'], ...choiceOptions('raised_in', lang)]} />
      </FormRow>
      <FormRow>
        <FormCheckbox name="sold_by_live_weight" label={t('products.by-weight')} hint={t('products.by-weight-hint')} />
        <FormSelect name="season" label={t('products.season')} hint={toRates} options={[['', t('products.season-none')], ...seasons]} />
      </FormRow>
    </FormSection>
  )
}

/** Price, discount and visibility. `follows` replaces a price that is computed from the weight. */
export function SellingFields({ kind, follows }: { kind: ProductKind; follows: string }) {
  const { t } = useI18n()
  const byWeight = useFormField('sold_by_live_weight').value === true && kind === 'animal'
  const discountKind = useFormField('discount_kind').value
  return (
    <FormSection title={t('products.selling')}>
      <FormRow>
        {byWeight ? (
          <div>
            <p className="mb-1 font-semibold">{t('products.price')}</p>
            <p className="tabular-nums flex min-h-12 items-center text-lg">{follows}</p>
          </div>
        ) : (
          <FormTaka name="price" label={t('products.price-taka')} />
        )}
        {kind === 'animal' ? null : (
          <FormSelect name="unit" label={t('products.unit')} options={UNITS.map((unit) => [unit, t(`catalog.unit.${unit}`)])} />
        )}
      </FormRow>
      <FormRow>
        <FormSelect
          name="discount_kind"
          label={t('products.discount-kind')}
          options={(['none', ...DISCOUNT_TYPES] as const).map((one) => [one, t(`products.discount.${one}`)])}
        />
        {discountKind === 'none' ? null : <FormNumber name="discount" label={t('products.discount-value')} />}
      </FormRow>
      <FormCheckbox name="coupon_applicable" label={t('products.coupon')} />
      <FormCheckbox name="visible" label={t('products.shown')} hint={t('products.shown-hint')} />
    </FormSection>
  )
}

/** The status, limited to allowed values, and its text for shoppers. */
export function StateFields({ statuses, state }: { statuses: readonly ProductStatus[]; state?: ProductState }) {
  const { t } = useI18n()
  const { value } = useFormField('status')
  const offered = statuses.includes(value as ProductStatus) ? statuses : [value as ProductStatus, ...statuses]
  return (
    <FormSection
      title={t('products.state')}
      hint={
        state?.order_id
          ? t('products.booked', { order: state.order_id })
          : state?.holdReason === 'returned'
            ? t('products.returned')
            : undefined
      }
    >
      <FormRow>
        <FormSelect name="status" label={t('products.status')} options={offered.map((status) => [status, t(`catalog.status.${status}`)])} />
      </FormRow>
      <FormRow>
        <FormText name="note_en" label={t('products.note-en')} hint={t('products.note-hint')} isOptional />
        <FormText name="note_bn" label={t('products.note-bn')} lang="bn" isOptional />
      </FormRow>
    </FormSection>
  )
}

/** Delivery date, delivery charge and advance. */
export function DeliveryFields() {
  const { t } = useI18n()
  return (
    <FormSection title={t('products.delivery')}>
      <FormRow>
        <FormText name="delivery_on" label={t('products.delivery-on')} hint={t('products.delivery-on-hint')} type="date" isOptional />
        <FormTaka name="shipping_cost" label={t('products.shipping')} hint={t('products.shipping-hint')} />
      </FormRow>
      <FormRow>
        <FormTaka name="advance_minimum" label={t('products.advance-minimum')} isOptional />
        <FormNumber name="advance_percentage" label={t('products.advance-percentage')} isOptional />
      </FormRow>
      <FormTaka name="advance_round_figure" label={t('products.advance-round')} hint={t('products.advance-round-hint')} isOptional />
    </FormSection>
  )
}
