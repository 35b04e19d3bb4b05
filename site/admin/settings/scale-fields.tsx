import { IN_STORE_PREFIXES } from '#features/settings/in-store-prefixes.ts'
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import { useI18n } from '#page/page-context.tsx'
import { FormNumber, FormRow, FormSection, FormSelect, useFormField } from '../ui/form.tsx'

const PREFIXES = IN_STORE_PREFIXES.map((prefix): [string, string] => [prefix, prefix])

/** Formats of scale labels: one row for each prefix. */
export function ScaleFields() {
  const { t } = useI18n()
  const rows = useFormField('scale_labels').value as ScaleLabelRule[]
  return (
    <FormSection title={t('settings.part.scales')} hint={t('settings.scale-hint')}>
      {rows.map((row, at) => {
        const name = (field: keyof ScaleLabelRule) => `scale_labels.${at}.${field}`
        return (
          <fieldset key={at} className="rounded-card border border-line p-3">
            <legend className="px-1 text-sm font-semibold">{row.prefix ? example(row) : t('settings.scale-unused')}</legend>
            <FormRow>
              <FormSelect name={name('prefix')} label={t('settings.scale-prefix')} options={[['', '—'], ...PREFIXES]} />
              <FormSelect
                name={name('holds')}
                label={t('settings.scale-holds')}
                options={[
                  ['weight', t('settings.scale-weight')],
                  ['price', t('settings.scale-price')],
                ]}
              />
              <FormNumber name={name('item_digits')} label={t('settings.scale-item')} />
              <FormNumber name={name('value_digits')} label={t('settings.scale-value')} />
              <FormNumber name={name('decimals')} label={t('settings.scale-decimals-label')} />
            </FormRow>
          </fieldset>
        )
      })}
    </FormSection>
  )
}

/** A sample code with letters for its parts: prefix, product, value, check digit. */
function example({ prefix, item_digits, value_digits, decimals, holds }: ScaleLabelRule): string {
  const [item, value, places] = [item_digits, value_digits, decimals].map((typed) => Math.min(10, Math.max(0, Number(typed) || 0)))
  const digits = (holds === 'weight' ? 'K' : 'T').repeat(value ?? 0)
  const whole = Math.max(0, digits.length - (places ?? 0))
  const number = places ? `${digits.slice(0, whole)}.${digits.slice(whole)}` : digits
  return [prefix, 'N'.repeat(item ?? 0), number, 'C'].join(' ')
}
