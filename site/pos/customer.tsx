import { TEXT_LIMIT } from '#lib/format/text.ts'
import { TextField } from '#components/field.tsx'
import type { AreaJson } from '#features/catalog/types.ts'
import { readPosPhone } from '#features/pos/rules.ts'
import { normalizePhone, PHONE_LENGTH, phoneExample } from '#lib/format/phone.ts'
import { useI18n } from '#page/page-context.tsx'
import { HandoverBoxes, HandoverPlace } from './handover-fields.tsx'
import type { Sale, SaleState } from './sale.ts'
import { useCustomerLookup } from './use-customer-lookup.ts'

/** The part of a sale that is about its customer. */
const FIELDS = ['phone', 'walkIn', 'name', 'email', 'deliver', 'areaId', 'address', 'collect', 'day'] as const

interface PosCustomerProps {
  sale: Pick<Sale, (typeof FIELDS)[number]>
  areas: AreaJson[]
  /** Whether sales may lack a phone. */
  walkInSales: boolean
  isCollectionOffered: boolean
  /** The possible days of delivery or collection, separated by spaces. */
  days: string
  rejection: SaleState['rejection']
  onChange: (changes: Partial<Sale>) => void
}

interface KnownCustomer {
  name: string
  email: string
}

/** Whether both show the same: lines and payment of the sale are not shown here. */
export function isSameCustomer({ sale, ...before }: PosCustomerProps, { sale: saleNow, ...now }: PosCustomerProps): boolean {
  return (
    FIELDS.every((field) => sale[field] === saleNow[field]) &&
    before.areas === now.areas &&
    before.walkInSales === now.walkInSales &&
    before.days === now.days &&
    before.rejection === now.rejection &&
    before.onChange === now.onChange
  )
}

/** The customer, found by phone; known customers are filled in. */
export function PosCustomer({ sale, areas, walkInSales, isCollectionOffered, days, rejection, onChange }: PosCustomerProps) {
  const { t, lang } = useI18n()
  const known = useKnownCustomer(sale.phone, (customer) =>
    onChange({ ...(sale.name === '' ? { name: customer.name } : {}), ...(sale.email === '' ? { email: customer.email } : {}) }),
  )
  /** Another phone is another customer: filled-in details of the previous one are removed. */
  const setPhone = (phone: string) =>
    onChange({ phone, walkIn: false, ...(known !== null && sale.name === known.name ? { name: '', email: '' } : {}) })
  const isWrong = sale.phone.length >= PHONE_LENGTH && readPosPhone(sale.phone) === null
  return (
    <section aria-labelledby="pos-customer" className="rounded-card border border-line bg-milk p-4 lg:px-3 lg:pt-1 lg:pb-2">
      <div className="flex flex-wrap items-center gap-x-3 max-lg:mb-3">
        {/* Beside three choices there is no room for it in the pane of a desk. */}
        <h2 id="pos-customer" className="text-lg lg:sr-only">
          {t('pos.customer')}
        </h2>
        {walkInSales ? <WalkInKey sale={sale} onChange={onChange} /> : null}
        <HandoverBoxes sale={sale} isCollectionOffered={isCollectionOffered} onChange={onChange} />
      </div>
      {walkInSales && sale.walkIn ? (
        <p role="status" className="text-sm text-stone">
          {t('pos.walk-in-about')}
        </p>
      ) : null}
      <div className="space-y-3 lg:space-y-1">
        <div className="grid gap-3 lg:grid-cols-2 lg:gap-2">
          <TextField
            id="pos-phone"
            label={
              <>
                {t('pos.phone')} <span aria-hidden="true">*</span>{' '}
                <kbd aria-hidden="true" className="kbd -my-1 max-lg:hidden">
                  F4
                </kbd>
              </>
            }
            required
            type="tel"
            inputMode="tel"
            autoComplete="off"
            placeholder={phoneExample(lang)}
            maxLength={PHONE_LENGTH}
            value={sale.phone}
            error={isWrong ? t('pos.phone-invalid') : undefined}
            onChange={({ target }) => setPhone(target.value.replace(/[^\d০-৯]/g, ''))}
            onPaste={(event) => {
              // Accepts a pasted number with country code, spaces or hyphens; maxLength would cut it.
              const phone = normalizePhone(event.clipboardData.getData('text'))
              if (phone === null) return
              event.preventDefault()
              setPhone(phone)
            }}
          />
          <TextField
            id="pos-name"
            label={t('pos.name')}
            autoComplete="off"
            maxLength={TEXT_LIMIT}
            value={sale.name}
            onChange={({ target }) => onChange({ name: target.value })}
          />
        </div>
        {known?.name ? (
          <p role="status" className="text-sm font-semibold text-leaf-700">
            {t('pos.known', { name: known.name })}
          </p>
        ) : null}
        <HandoverPlace sale={sale} areas={areas} days={days} rejection={rejection} onChange={onChange} />
      </div>
    </section>
  )
}

/** Sells without a phone; typing one takes it back. A delivery needs a phone. */
function WalkInKey({ sale, onChange }: Pick<PosCustomerProps, 'sale' | 'onChange'>) {
  const { t } = useI18n()
  return (
    <button
      type="button"
      aria-pressed={sale.walkIn}
      className="min-h-11 rounded-card border border-line bg-white px-3 font-semibold hover:bg-leaf-100 aria-pressed:border-leaf-700 aria-pressed:bg-leaf-700 aria-pressed:text-white lg:pointer-fine:min-h-8"
      onClick={() => onChange(sale.walkIn ? { walkIn: false } : { walkIn: true, phone: '', email: '', deliver: false, collect: false })}
    >
      {t('pos.walk-in-key')}
    </button>
  )
}

/** A known customer, told once found. */
function useKnownCustomer(typed: string, onKnown: (customer: KnownCustomer) => void): KnownCustomer | null {
  // What was typed while the customer was looked up stays.
  const found = useCustomerLookup<{ customer: KnownCustomer | null }>(
    'customer',
    typed,
    ({ customer }) => void (customer && onKnown(customer)),
  )
  return found?.customer ?? null
}
