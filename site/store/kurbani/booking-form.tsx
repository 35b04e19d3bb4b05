import '#messages/prebook-form.ts'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { Alpona } from '#components/alpona.tsx'
import { Button } from '#components/button.tsx'
import { Combobox } from '#components/combobox.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { AlertIcon, CheckIcon, PhoneIcon } from '#components/icons.tsx'
import { findPlace, matchPlaces, type Place } from '#features/kurbani/districts-rules.ts'
import { BOOKING_RANGES } from '#features/kurbani/rules.ts'
import { phoneExample } from '#lib/format/phone.ts'
import { callLink } from '#lib/format/contact-links.ts'
import { bengaliDigits } from '#lib/format/numbers.ts'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import type { KurbaniProps } from './kurbani-page.tsx'
import { BOOKING_FIELDS, type BookingField, NO_BOOKING, useBooking } from './use-booking.ts'
import { useDistricts } from './use-districts.ts'
import { TYPED } from './use-stock-check.ts'

type Form = ReturnType<typeof useBooking>

/** Pre-books a cow while none is in stock: in Bengali, with English subtitles. */
export function BookingForm({ checking }: KurbaniProps & { checking: boolean }) {
  const { t } = useI18n()
  const form = useBooking()
  const trap = useRef<HTMLInputElement>(null)
  const isTyped = BOOKING_FIELDS.some((field) => form.booking[field] !== NO_BOOKING[field]) || form.sendState.state !== 'idle'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void form.submit(trap.current?.value ?? '')
  }
  return (
    <div className="mx-auto max-w-2xl">
      <p role="status" className="min-h-6 text-sm text-stone">
        {checking ? t('kurbani.checking') : ''}
      </p>
      <form
        noValidate
        onSubmit={submit}
        aria-labelledby="booking-title"
        {...(isTyped ? { [TYPED]: '' } : {})}
        className="overflow-clip rounded-card border border-line bg-milk"
      >
        <Head />
        <div className="grid gap-x-5 gap-y-4 p-4 sm:grid-cols-2 sm:p-6">
          <Fields form={form} />
          <label aria-hidden="true" className="absolute -start-[200vw] size-px overflow-hidden">
            Website
            <input ref={trap} name="website" tabIndex={-1} autoComplete="off" />
          </label>
          <div className="space-y-4 sm:col-span-2">
            <Outcome form={form} />
            <Button type="submit" size="large" full className="needs-script" busy={form.sendState.state === 'submitting'}>
              <span lang="bn">{t(form.sendState.state === 'submitting' ? 'prebook.wait' : 'prebook.submit')}</span>
            </Button>
            <CallInstead />
          </div>
        </div>
      </form>
    </div>
  )
}

function Head() {
  const { t, lang } = useI18n()
  return (
    <header className="relative overflow-hidden bg-leaf-800 px-4 py-5 text-paper sm:px-6 sm:py-7">
      <Alpona className="absolute -end-14 -top-16 size-56 text-paper/30" />
      <div className="relative">
        <h1 id="booking-title" lang="bn" className="text-2xl [--head-height:1.5] sm:text-3xl">
          {t('prebook.title')}
        </h1>
        <p lang="en" className="text-lg text-tag">
          {t('prebook.subtitle')}
        </p>
        <p lang="bn" className="mt-3 max-w-[52ch] leading-relaxed">
          {t('prebook.lead')}
        </p>
        {lang === 'en' ? <p className="mt-1 max-w-[52ch] text-sm text-paper/90">{t('prebook.lead-english')}</p> : null}
      </div>
    </header>
  )
}

function Fields({ form }: { form: Form }) {
  const { t, lang } = useI18n()
  const { booking, errors, change } = form
  const label = (field: BookingField): ReactNode => (
    <>
      <span lang="bn">{t(`prebook.${field}`)}</span>{' '}
      {lang === 'en' ? (
        <span lang="en" className="ms-0.5 text-sm font-normal text-stone">
          {t(`prebook.${field}-english`)}
        </span>
      ) : null}
    </>
  )
  const optionalLabel = t('prebook.optional')
  const text = (field: BookingField) => ({
    id: field,
    name: field,
    label: label(field),
    value: booking[field],
    error: errors[field],
    maxLength: TEXT_LIMIT,
    onChange: (event: { target: { value: string } }) => change({ [field]: event.target.value }),
  })
  return (
    <>
      <TextField {...text('name')} autoComplete="name" enterKeyHint="next" required />
      <TextField
        {...text('phone')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        enterKeyHint="next"
        placeholder={phoneExample(lang)}
        required
      />
      <div className="sm:col-span-2">
        <SelectField
          id="price"
          name="price"
          lang="bn"
          label={label('price')}
          error={errors.price}
          value={booking.price}
          required
          onChange={(event) => change({ price: event.target.value })}
        >
          <option value="">{t('prebook.choose-price')}</option>
          {BOOKING_RANGES.map((range) => (
            <option key={range}>{range}</option>
          ))}
        </SelectField>
      </div>
      <PlaceFields form={form} label={label} />
      <TextField
        {...text('weight')}
        optionalLabel={optionalLabel}
        autoComplete="off"
        enterKeyHint="next"
        placeholder={t('prebook.weight-hint')}
      />
      <TextField
        {...text('email')}
        optionalLabel={optionalLabel}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="send"
      />
    </>
  )
}

/** District and thana. Without the lists the fields are text inputs. */
function PlaceFields({ form, label }: { form: Form; label: (field: BookingField) => ReactNode }) {
  const { t, lang } = useI18n()
  const { booking, errors, change } = form
  const { districts, load } = useDistricts()
  const district = findPlace(districts, booking.district)
  const options = (places: readonly Place[]) => (typed: string) =>
    matchPlaces(places, typed).map((place) => ({
      value: place[lang],
      label: (
        <>
          <span lang="bn">{place.bn}</span>{' '}
          <span lang="en" className="ms-1 text-sm text-stone">
            {place.en}
          </span>
        </>
      ),
    }))
  const common = {
    optionalLabel: t('prebook.optional'),
    maxLength: TEXT_LIMIT,
    listLabel: t('prebook.list'),
    noneText: t('prebook.no-place'),
    placeholder: t('prebook.search'),
    onFocus: load,
  }
  const setDistrict = (name: string) => change(name === booking.district ? {} : { district: name, thana: '' })
  return (
    <>
      <Combobox
        {...common}
        id="district"
        name="district"
        label={label('district')}
        error={errors.district}
        value={booking.district}
        onChange={setDistrict}
        match={options(districts)}
      />
      <Combobox
        {...common}
        id="thana"
        name="thana"
        label={label('thana')}
        error={errors.thana}
        value={booking.thana}
        onChange={(thana) => change({ thana })}
        match={options(district?.thanas ?? [])}
        disabled={booking.district.trim() === ''}
        placeholder={booking.district.trim() === '' ? t('prebook.thana-first') : common.placeholder}
      />
    </>
  )
}

/** The result of sending, below the button. */
function Outcome({ form: { sendState } }: { form: Form }) {
  const { t } = useI18n()
  if (sendState.state === 'success')
    return (
      <p role="status" className="flex items-start gap-2.5 rounded-card bg-leaf-100 px-4 py-3 text-leaf-800">
        <CheckIcon className="mt-1 shrink-0" />
        <span>
          <b>{t('prebook.done')}</b> {t('prebook.done-next')}
        </span>
      </p>
    )
  if (sendState.state !== 'failure') return null
  return (
    <p role="alert" className="flex items-start gap-2.5 rounded-card bg-terracotta-100 px-4 py-3 font-semibold text-terracotta">
      <AlertIcon className="mt-1 shrink-0" />
      {sendState.text}
    </p>
  )
}

function CallInstead() {
  const { t } = useI18n()
  const { shop } = usePageContext()
  if (!shop.phone) return null
  return (
    <p className="text-center">
      <a
        href={callLink(shop.phone)}
        lang="bn"
        className="inline-flex min-h-11 items-center gap-2 font-semibold text-leaf-800 underline underline-offset-4"
      >
        <PhoneIcon size={18} />
        {t('prebook.call', { phone: bengaliDigits(shop.phone) })}
      </a>
    </p>
  )
}
