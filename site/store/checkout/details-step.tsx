import { type FormEvent, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { SelectField, TextArea, TextField } from '#components/field.tsx'
import { UserIcon } from '#components/icons.tsx'
import { laterPart } from '#components/later-part.tsx'
import { OrderSummary } from '#features/orders/ui/order-summary.tsx'
import { DETAILS_FIELDS, type DetailsField, type GuestDetails } from '#features/orders/checkout/details-rules.ts'
import { findAreaError, stepOfHash } from '#features/orders/checkout/checkout-rules.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { useI18n } from '#page/page-context.tsx'
import type { AddressError } from '../addresses/use-address-book.ts'
import { DeliveryMethod } from './delivery-method.tsx'
import { RemovedCoupon } from './removed-coupon.tsx'
import { SavedAddress } from './saved-address.tsx'
import { UnpayableNote } from './unpayable-note.tsx'
import type { Checkout } from './use-checkout.ts'
import { DETAILS_FORM } from './use-step.ts'

const AreaRequestDialog = laterPart(() => import('./area-request-dialog.tsx').then((part) => part.AreaRequestDialog))

/** Step 2: contact and delivery address. */
export function DetailsStep({ checkout, onBack, onProceed }: { checkout: Checkout; onBack: () => void; onProceed: () => void }) {
  const { t } = useI18n()
  const [checked, setChecked] = useState<ReadonlySet<DetailsField>>(new Set())
  const errors = useErrors(checkout, checked)

  const { book, couponState, draft, shop } = checkout
  const [error, setError] = useState<AddressError | null>(null)
  const [isAsking, setAsking] = useState(false)

  /** Saves the typed address for later orders, when chosen. */
  const save = async () => {
    const found = await book.add(draft.details)
    setError(found)
    // Meanwhile the customer may have gone back.
    if (found === null && stepOfHash(location.hash) !== 'cart') onProceed()
  }
  /** Without the address book the order continues with the typed details. */
  const goOnUnsaved = () => {
    setError(null)
    checkout.change({ saveAddress: false })
    onProceed()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (book.isAdding) return
    setChecked(new Set(DETAILS_FIELDS))
    const wrong = DETAILS_FIELDS.find(
      (field) => checkout.problems[field] !== undefined || (field === 'area_id' && checkout.areaProblem !== null),
    )
    const isNew = shop.account !== null && book.chosen === null && !checkout.isCollection
    if (wrong === undefined) return isNew && draft.saveAddress ? void save() : onProceed()
    document.getElementById(wrong)?.focus()
  }

  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[1fr_22rem] lg:gap-8">
      <div className="space-y-4">
        <UnpayableNote checkout={checkout} />
        <AccountNote account={checkout.shop.account} />
        <DeliveryMethod checkout={checkout} />
        {book.chosen === null ? null : <SavedAddress checkout={checkout} address={book.chosen} />}
        <form id={DETAILS_FORM} noValidate onSubmit={submit}>
          {book.chosen === null ? (
            <div className="rounded-card border border-line bg-milk p-4 sm:p-6">
              <DetailsFields checkout={checkout} errors={errors} onAsk={() => setAsking(true)} />
              {shop.account === null || checkout.isCollection ? null : <KeepBox checkout={checkout} />}
            </div>
          ) : null}
          <div className="mt-6 flex flex-wrap justify-between gap-3">
            <Button kind="secondary" onClick={onBack}>
              {t('checkout.back-to-cart')}
            </Button>
            <Button type="submit" className="max-lg:hidden" busy={book.isAdding}>
              {t('checkout.proceed-to-preview')}
            </Button>
          </div>
        </form>
      </div>
      <div className="lg:sticky lg:top-24">
        <OrderSummary quote={checkout.quote} couponCode={couponState.coupon?.code} areaName={checkout.area?.area_name ?? null}>
          <RemovedCoupon checkout={checkout} />
        </OrderSummary>
      </div>
      {/* Outside of the form above: a form within a form would submit both. */}
      {isAsking ? <AreaRequestDialog name={draft.details.name} phone={draft.details.phone} onClose={() => setAsking(false)} /> : null}
      <Dialog
        open={error !== null}
        onClose={() => setError(null)}
        title={error?.title}
        closeLabel={t('shell.close')}
        actions={
          <>
            {error?.isSignedOut ? (
              <ButtonLink kind="secondary" href="/login?next=/cart%23details">
                {t('shell.login')}
              </ButtonLink>
            ) : (
              <Button kind="secondary" onClick={() => setError(null)}>
                {t('address.ok')}
              </Button>
            )}
            <Button onClick={goOnUnsaved}>{t('address.go-on-unsaved')}</Button>
          </>
        }
      >
        <p>{error?.text}</p>
      </Dialog>
    </div>
  )
}

function KeepBox({ checkout: { draft, change } }: { checkout: Checkout }) {
  const { t } = useI18n()
  return (
    <label className="mt-4 flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        className="size-6 shrink-0 accent-leaf-600"
        checked={draft.saveAddress}
        onChange={(event) => change({ saveAddress: event.target.checked })}
      />
      {t('address.keep-this')}
    </label>
  )
}

/** Errors of the checked fields. An area closed for these products is reported immediately. */
function useErrors({ problems, areaProblem }: Checkout, checked: ReadonlySet<DetailsField>): Partial<Record<DetailsField, string>> {
  const { t } = useI18n()
  const errors: Partial<Record<DetailsField, string>> = areaProblem === null ? {} : { area_id: t(areaProblem) }
  for (const field of checked) {
    const problem = problems[field]
    if (problem !== undefined) errors[field] = t(problem)
  }
  return errors
}

function AccountNote({ account }: { account: { name: string; phone: string } | null }) {
  const { t, lang } = useI18n()
  return (
    <p className="flex items-center gap-2.5 rounded-card bg-leaf-100 px-4 py-2.5">
      <UserIcon size={22} className="shrink-0 text-leaf-600" />
      {account === null ? (
        <a
          href="/login?next=/cart%23details"
          className="-my-1.5 inline-flex min-h-11 items-center font-semibold text-leaf-800 underline underline-offset-4"
        >
          {t('checkout.return-customer')}
        </a>
      ) : (
        t('checkout.signed-in-as', { name: account.name || localizeDigits(lang, account.phone) })
      )}
    </p>
  )
}

function DetailsFields({ checkout, errors, onAsk }: Pick<PlaceFieldsProps, 'checkout' | 'errors' | 'onAsk'>) {
  const { t } = useI18n()
  const { draft, change } = checkout
  const { details } = draft
  const set = (part: Partial<GuestDetails>) => change({ details: { ...details, ...part } })
  const text = (field: TextName) => ({
    id: field,
    name: field,
    value: details[field],
    error: errors[field],
    maxLength: TEXT_LIMIT,
    onChange: (event: { target: { value: string } }) => set({ [field]: event.target.value }),
  })
  const optional = t('details.optional')
  return (
    <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
      <TextField {...text('name')} label={t('details.name')} autoComplete="name" enterKeyHint="next" required />
      <TextField
        {...text('email')}
        label={t('details.email')}
        optionalLabel={checkout.isEmailOptional ? optional : undefined}
        type="email"
        inputMode="email"
        autoComplete="email"
        enterKeyHint="next"
        autoCapitalize="none"
        spellCheck={false}
        required={!checkout.isEmailOptional}
      />
      <TextField
        {...text('phone')}
        label={t('details.phone')}
        hint={t('details.phone-hint', { collects: checkout.isCollection })}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        enterKeyHint="next"
        required
      />
      <TextField
        {...text('alternate_phone')}
        label={t('details.alternate')}
        optionalLabel={optional}
        hint={t('details.alternate-hint')}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        enterKeyHint="next"
      />
      {checkout.isCollection ? null : <PlaceFields checkout={checkout} errors={errors} text={text} set={set} onAsk={onAsk} />}
      <TextArea {...text('note')} label={t('details.note')} optionalLabel={optional} rows={2} autoComplete="off" />
    </div>
  )
}

type TextName = Exclude<DetailsField, 'area_id'>

interface PlaceFieldsProps {
  checkout: Checkout
  errors: Partial<Record<DetailsField, string>>
  text: (field: TextName) => object
  set: (part: Partial<GuestDetails>) => void
  onAsk: () => void
}

/** The place of delivery. */
function PlaceFields({ checkout, errors, text, set, onAsk }: PlaceFieldsProps) {
  const { t } = useI18n()
  const { groups } = checkout
  const { details } = checkout.draft
  const optional = t('details.optional')
  return (
    <>
      <div>
        <SelectField
          id="area_id"
          name="area_id"
          label={t('details.area')}
          error={errors.area_id}
          value={details.area_id ?? ''}
          autoComplete="address-level2"
          required
          onChange={(event) => set({ area_id: Number(event.target.value) || null })}
        >
          <option value="">{t('details.choose-area')}</option>
          {checkout.areas.map((area) => (
            <option key={area.id} value={area.id}>
              {area.area_name}
              {findAreaError(area, groups) === 'refusal.area-closed-for-cattle' ? ` (${t('details.area-closed')})` : ''}
            </option>
          ))}
        </SelectField>
        <Button kind="quiet" className="-ms-3 underline" onClick={onAsk}>
          {t('area-request.open')}
        </Button>
      </div>
      <TextArea
        {...text('address')}
        label={t('details.address')}
        hint={t('details.address-hint')}
        rows={2}
        autoComplete="street-address"
        required
      />
      <TextField {...text('landmark')} label={t('details.landmark')} optionalLabel={optional} autoComplete="off" enterKeyHint="next" />
    </>
  )
}
