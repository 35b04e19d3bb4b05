import { z } from 'zod'
import { alarmAddresses } from './alarm-addresses.ts'
import { MAX_CERTIFICATES, MAX_SEASON_LENGTH } from './limits.ts'
import { IN_STORE_PREFIXES } from './in-store-prefixes.ts'
import { hasHourLeft } from '#features/settings/sms/quiet-rules.ts'
import { SMS_TEMPLATES, type SmsTemplate, templateProblems } from '#features/settings/sms/template-rules.ts'
import { isEmail } from '#lib/format/email.ts'
import { dayField, requiredText, shortIdField, textField, wholeField, textLimits } from '#lib/form-fields.ts'
import { type Lang, LANGS } from '#lib/i18n/lang.ts'
import { normalizeCallNumber, normalizePhone } from '#lib/format/phone.ts'
import { parseUrl } from '#lib/http/parse-url.ts'
import { MAX_TYPED_PHONE_LENGTH } from '#lib/format/input-limits.ts'
import type { SettingsPart } from './sections.ts'

const bilingual = (max: number) => z.strictObject({ en: requiredText(max), bn: requiredText(max) })
const optionalBilingual = (max: number) => z.strictObject({ en: textField(max), bn: textField(max) })

/** One number that the links of pages call, or empty. */
const callNumber = textField(MAX_TYPED_PHONE_LENGTH).transform((typed, context) => {
  const phone = typed === '' ? '' : normalizeCallNumber(typed)
  if (phone !== null) return phone
  context.addIssue({ code: 'custom', message: 'settings.call-number' })
  return z.NEVER
})

/** A mobile number, or empty. */
const optionalMobile = textField(MAX_TYPED_PHONE_LENGTH).transform((typed, context) => {
  const phone = typed === '' ? '' : normalizePhone(typed)
  if (phone !== null) return phone
  context.addIssue({ code: 'custom', message: 'field.phone' })
  return z.NEVER
})

const email = textField().refine((text) => text === '' || isEmail(text), { error: 'field.email' })

/** An account that customers transfer to: whole, or empty. */
const bankAccount = z
  .strictObject({
    bank: textField(80),
    branch: textField(80),
    accountName: textField(80),
    accountNumber: textField(40),
    routingNumber: textField(20),
  })
  .superRefine((account, context) => {
    if (Object.values(account).every((text) => text === '')) return
    for (const field of ['bank', 'accountName', 'accountNumber'] as const)
      if (account[field] === '') context.addIssue({ code: 'custom', path: [field], message: 'field.required' })
  })

/** A link that shoppers open: never a script, and never without encryption. */
const mapUrl = textField(500).refine((text) => text === '' || (text.startsWith('https://') && parseUrl(text) !== null), {
  error: 'settings.https',
})

const MAX_ALARM_ADDRESSES = 10

const alarmEmails = textField(500)
  .refine((text) => alarmAddresses(text).every(isEmail), { error: 'field.email' })
  .refine((text) => alarmAddresses(text).length <= MAX_ALARM_ADDRESSES, { error: 'field.too-long' })

/** A printed number or range: `55–57`. */
const range = requiredText(20).refine((text) => /^[\d০-৯.]+([–-][\d০-৯.]+)?$/.test(text), { error: 'settings.range' })

const MAX_TEMPLATE_LENGTH = 1000

const message = (template: SmsTemplate, lang: Lang) =>
  z
    .string({ error: 'field.required' })
    .max(MAX_TEMPLATE_LENGTH, { error: 'field.too-long', abort: true })
    .superRefine((text, context) => {
      for (const { kind } of templateProblems(template, text, lang))
        context.addIssue({ code: 'custom', message: `settings.template.${kind}` })
    })
    .register(textLimits, { maxLength: MAX_TEMPLATE_LENGTH })

const both = (template: SmsTemplate) => z.strictObject({ en: message(template, 'en'), bn: message(template, 'bn') })

const messages = z.strictObject(
  Object.fromEntries(SMS_TEMPLATES.map((template) => [template, both(template)])) as Record<SmsTemplate, ReturnType<typeof both>>,
)

const hour = wholeField(0, 23)

const season = z
  .strictObject({
    season: requiredText(MAX_SEASON_LENGTH),
    weighedFrom: dayField(),
    weighedTo: dayField(),
    deliveryFrom: dayField(),
    deliveryTo: dayField(),
  })
  .superRefine((days, context) => {
    if (days.weighedTo < days.weighedFrom) context.addIssue({ code: 'custom', path: ['weighedTo'], message: 'settings.order-of-days' })
    if (days.deliveryTo < days.deliveryFrom) context.addIssue({ code: 'custom', path: ['deliveryTo'], message: 'settings.order-of-days' })
  })

const scaleLabel = z
  .strictObject({
    prefix: z.enum(['', ...IN_STORE_PREFIXES], { error: 'field.choose' }),
    holds: z.enum(['weight', 'price'], { error: 'field.choose' }),
    item_digits: wholeField(2, 7),
    value_digits: wholeField(3, 7),
    decimals: wholeField(0, 3),
  })
  .superRefine(({ prefix, holds, item_digits, value_digits, decimals }, context) => {
    if (prefix === '') return
    if (![9, 10].includes(item_digits + value_digits))
      context.addIssue({ code: 'custom', path: ['value_digits'], message: 'settings.scale-length' })
    if (holds === 'price' && decimals > 2) context.addIssue({ code: 'custom', path: ['decimals'], message: 'settings.scale-decimals' })
  })

const scaleLabels = z
  .array(scaleLabel)
  .max(10)
  .superRefine((rows, context) => {
    rows.forEach(({ prefix }, index) => {
      if (prefix !== '' && rows.findIndex((row) => row.prefix === prefix) < index)
        context.addIssue({ code: 'custom', path: [index, 'prefix'], message: 'settings.scale-twice' })
    })
  })

/** The form of each part of the settings; the keys are those of `Settings`. */
export const SETTINGS_FORMS = {
  shop: z.strictObject({
    shop: z.strictObject({
      name: bilingual(60),
      motto: optionalBilingual(160),
      phone: callNumber.refine((phone) => phone !== '', { error: 'field.required' }),
      whatsapp: callNumber,
      email,
      address: optionalBilingual(200),
      openingHours: optionalBilingual(100),
    }),
    /** Absent: the logo stays. */
    logo: z
      .strictObject({ image_id: shortIdField('settings.no-logo') })
      .nullable()
      .optional(),
  }),
  about: z.strictObject({
    trade_licence: textField(60),
    map_url: mapUrl,
    certificates_text: optionalBilingual(1000),
    certificates: z
      .array(z.strictObject({ image_id: shortIdField('settings.no-logo') }))
      .max(MAX_CERTIFICATES, { error: 'field.too-long' }),
  }),
  notices: z.strictObject({ announcement: optionalBilingual(200) }),
  payments: z.strictObject({
    payment_numbers: z.strictObject({
      bank: bankAccount,
      bkash: optionalMobile,
      nagad: optionalMobile,
    }),
    advance_amount: wholeField(0, 1_000_000),
    expiry: z.strictObject({
      paymentMinutes: wholeField(5, 1440),
      unreportedMinutes: wholeField(5, 1440),
      advanceHours: wholeField(1, 336),
    }),
    holds: z.strictObject({
      perPhone: wholeField(1, 1000),
      perBrowser: wholeField(1, 1000),
      perProvenPhone: wholeField(1, 1000),
      perNetwork: wholeField(1, 10_000),
    }),
    cash_on_delivery: z.strictObject({ is_code_needed: z.boolean({ error: 'field.choose' }), code_from_taka: wholeField(0, 1_000_000) }),
  }),
  // 24 is midnight. From hour 0 on no order would count for the next day, while pages say that those before midnight do.
  orders: z.strictObject({ cutoff_hour: wholeField(1, 24), low_stock: wholeField(0, 10_000) }),
  delivery: z
    .strictObject({
      delivery_days: z.strictObject({
        // Seven days have an open one, whatever six weekdays are closed.
        ahead: wholeField(7, 60),
        closed_weekdays: z.array(z.number().int().min(0).max(6)).max(6, { error: 'settings.weekdays-all' }),
        capacity: z.strictObject({ cattle: wholeField(0, 10_000), produce: wholeField(0, 10_000) }),
      }),
      collection: z.strictObject({
        is_offered: z.boolean({ error: 'field.choose' }),
        address: optionalBilingual(200),
        note: optionalBilingual(300),
      }),
    })
    .superRefine(({ collection: { is_offered, address } }, context) => {
      for (const lang of LANGS)
        if (is_offered && address[lang] === '')
          context.addIssue({ code: 'custom', path: ['collection', 'address', lang], message: 'field.required' })
    }),
  pos: z.strictObject({
    pos_discount: z.strictObject({ percent: wholeField(0, 100), taka: wholeField(0, 10_000_000) }),
    pos_return: z.strictObject({ taka: wholeField(0, 10_000_000), day_taka: wholeField(0, 10_000_000), days: wholeField(0, 365) }),
    blind_count: z.boolean({ error: 'field.choose' }),
    cash_rounding: z.boolean({ error: 'field.choose' }),
    pos_methods: z.strictObject({
      nagad: z.boolean({ error: 'field.choose' }),
      rocket: z.boolean({ error: 'field.choose' }),
      card: z.boolean({ error: 'field.choose' }),
    }),
    walk_in_sales: z.boolean({ error: 'field.choose' }),
  }),
  animals: z.strictObject({
    meat_yield: range,
    gain_large: range,
    gain_small: range,
    weigh_in_kg_per_day: wholeField(1, 50),
    kurbani: season,
    final_weighing: z.array(z.strictObject({ id: shortIdField(), days: wholeField(0, 60) })).max(200),
  }),
  messages: z
    .strictObject({
      sms_english: z.boolean({ error: 'field.choose' }),
      sms_daily_limit: wholeField(1, 1_000_000),
      quiet_hours: z.strictObject({ from: hour, to: hour }),
      delivery_sms: z.strictObject({ automatic: z.boolean({ error: 'field.choose' }), hour }),
      messages,
    })
    .superRefine(({ delivery_sms, quiet_hours }, context) => {
      if (delivery_sms.automatic && !hasHourLeft(delivery_sms.hour, quiet_hours))
        context.addIssue({ code: 'custom', path: ['delivery_sms', 'hour'], message: 'settings.delivery-quiet' })
    }),
  email: z.strictObject({ alarm_emails: alarmEmails }),
  analytics: z.strictObject({
    analytics: z.strictObject({
      pixel_id: textField(20).refine((text) => /^(\d{5,20})?$/.test(text), { error: 'settings.analytics-id' }),
      ga4_id: textField(20).refine((text) => /^(G-[A-Z0-9]{4,16})?$/.test(text), { error: 'settings.analytics-id' }),
    }),
  }),
  scales: z.strictObject({ scale_labels: scaleLabels }),
  security: z.strictObject({ staff_second_factor: z.boolean({ error: 'field.choose' }), device_session_hours: wholeField(1, 24) }),
  backup: z.strictObject({
    backup: z.strictObject({ hour, daily: wholeField(1, 366), weekly: wholeField(0, 200), monthly: wholeField(0, 200) }),
  }),
} as const satisfies Record<SettingsPart, z.ZodObject>
