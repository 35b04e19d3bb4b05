import type { ReactNode } from 'react'
import { useI18n } from '#page/page-context.tsx'
import { FormArea, FormCheckbox, FormNumber, FormRow, FormSection, FormTaka, FormText } from '../ui/form.tsx'

/** A bilingual field: English and Bengali side by side. */
function BothLanguages({ name, label, long = false }: { name: string; label: string; long?: boolean }) {
  const { t } = useI18n()
  const Field = long ? FormArea : FormText
  return (
    <FormRow>
      <Field name={`${name}.en`} label={`${label} ${t('settings.in-en')}`} />
      <Field name={`${name}.bn`} label={`${label} ${t('settings.in-bn')}`} />
    </FormRow>
  )
}

export function ShopFields({ logo }: { logo: ReactNode }) {
  const { t } = useI18n()
  return (
    <>
      <FormSection title={t('settings.part.shop')}>
        <BothLanguages name="shop.name" label={t('settings.shop.name')} />
        <BothLanguages name="shop.motto" label={t('settings.shop.motto')} long />
        {logo}
      </FormSection>
      <FormSection title={t('settings.shop.contact')}>
        <FormRow>
          <FormText name="shop.phone" label={t('settings.shop.phone')} inputMode="tel" />
          <FormText name="shop.whatsapp" label={t('settings.shop.whatsapp')} inputMode="tel" isOptional />
          <FormText name="shop.email" label={t('settings.shop.email')} inputMode="email" isOptional />
        </FormRow>
        <BothLanguages name="shop.address" label={t('settings.shop.address')} long />
        <BothLanguages name="shop.openingHours" label={t('settings.shop.hours')} />
      </FormSection>
    </>
  )
}

export function NoticeFields() {
  const { t } = useI18n()
  return (
    <FormSection title={t('settings.announcement')} hint={t('settings.announcement-hint')}>
      <BothLanguages name="announcement" label={t('settings.announcement')} long />
    </FormSection>
  )
}

export function PaymentFields() {
  const { t } = useI18n()
  return (
    <>
      <FormSection title={t('settings.bank')}>
        <FormRow>
          {(['bank', 'branch', 'accountName', 'accountNumber', 'routingNumber'] as const).map((key) => (
            <FormText key={key} name={`payment_numbers.bank.${key}`} label={t(`settings.bank.${key}`)} isOptional />
          ))}
        </FormRow>
      </FormSection>
      <FormSection title={t('settings.mobile')} hint={t('settings.mobile-hint')}>
        <FormRow>
          <FormText name="payment_numbers.bkash" label={t('settings.bkash')} inputMode="tel" isOptional />
          <FormText name="payment_numbers.nagad" label={t('settings.nagad')} inputMode="tel" isOptional />
        </FormRow>
      </FormSection>
      <FormSection title={t('settings.advance')}>
        <FormTaka name="advance_amount" label={t('settings.advance-amount')} hint={t('settings.advance-hint')} />
      </FormSection>
      <FormSection title={t('settings.expiry')} hint={t('settings.expiry-hint')}>
        <FormRow>
          <FormNumber name="expiry.paymentMinutes" label={t('settings.payment-minutes')} />
          <FormNumber name="expiry.unreportedMinutes" label={t('settings.unreported-minutes')} />
          <FormNumber name="expiry.advanceHours" label={t('settings.advance-hours')} />
        </FormRow>
      </FormSection>
      <FormSection title={t('settings.cod')} hint={t('settings.cod-hint')}>
        <FormCheckbox name="cash_on_delivery.is_code_needed" label={t('settings.cod-code')} />
        <FormTaka name="cash_on_delivery.code_from_taka" label={t('settings.cod-from')} hint={t('settings.cod-from-hint')} />
      </FormSection>
      <FormSection title={t('settings.holds')} hint={t('settings.holds-hint')}>
        <FormRow>
          <FormNumber name="holds.perPhone" label={t('settings.holds-phone')} />
          <FormNumber name="holds.perBrowser" label={t('settings.holds-browser')} />
          <FormNumber name="holds.perProvenPhone" label={t('settings.holds-verified')} />
          <FormNumber name="holds.perNetwork" label={t('settings.holds-network')} />
        </FormRow>
      </FormSection>
    </>
  )
}

export function OrderFields() {
  const { t } = useI18n()
  return (
    <FormSection title={t('settings.part.orders')}>
      <FormNumber name="cutoff_hour" label={t('settings.cutoff')} hint={t('settings.cutoff-hint')} />
      <FormNumber name="low_stock" label={t('settings.low-stock')} hint={t('settings.low-stock-hint')} />
    </FormSection>
  )
}

export function PosFields() {
  const { t } = useI18n()
  return (
    <>
      <FormSection title={t('settings.pos-discount')} hint={t('settings.pos-discount-hint')}>
        <FormRow>
          <FormNumber name="pos_discount.percent" label={t('settings.pos-percent')} />
          <FormTaka name="pos_discount.taka" label={t('settings.pos-taka')} />
        </FormRow>
      </FormSection>
      <FormSection title={t('settings.pos-return')} hint={t('settings.pos-return-hint')}>
        <FormRow>
          <FormTaka name="pos_return.taka" label={t('settings.pos-return-taka')} />
          <FormTaka name="pos_return.day_taka" label={t('settings.pos-return-day')} />
          <FormNumber name="pos_return.days" label={t('settings.pos-return-days')} hint={t('settings.pos-return-days-hint')} />
        </FormRow>
      </FormSection>
      <FormSection title={t('settings.cash')}>
        <FormCheckbox name="blind_count" label={t('settings.blind-count')} hint={t('settings.blind-count-hint')} />
        <FormCheckbox name="cash_rounding" label={t('settings.cash-rounding')} hint={t('settings.cash-rounding-hint')} />
      </FormSection>
      <FormSection title={t('settings.pos-methods')} hint={t('settings.pos-methods-hint')}>
        <FormCheckbox name="pos_methods.nagad" label={t('pos.nagad')} />
        <FormCheckbox name="pos_methods.rocket" label={t('pos.rocket')} />
        <FormCheckbox name="pos_methods.card" label={t('pos.card')} />
      </FormSection>
      <FormSection title={t('settings.walk-in')}>
        <FormCheckbox name="walk_in_sales" label={t('settings.walk-in-sales')} hint={t('settings.walk-in-hint')} />
      </FormSection>
    </>
  )
}

export function SecurityFields() {
  const { t } = useI18n()
  return (
    <FormSection title={t('settings.part.security')}>
      <FormCheckbox name="staff_second_factor" label={t('settings.second-factor')} hint={t('settings.second-factor-hint')} />
      <FormRow>
        <FormNumber name="device_session_hours" label={t('settings.device-hours')} hint={t('settings.device-hours-hint')} />
      </FormRow>
    </FormSection>
  )
}
