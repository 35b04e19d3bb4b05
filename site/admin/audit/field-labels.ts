// Names of fields in the audit log: the labels of their forms.
import { type MessageKey, textByData, type Translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'

type Words = Record<string, MessageKey>

/** The labels of product fields, and the texts of the choices that are stored in them (`PRODUCT_WORDS`). */
export interface ProductWords {
  labels: Words
  choice: (field: string, value: string, lang: Lang) => string | null
}

/** Fields with the same label in every record. */
const EVERYWHERE: Words = {
  name: 'admin-orders.name',
  name_en: 'areas.name-en',
  name_bn: 'areas.name-bn',
  phone: 'admin-orders.phone',
  phone_verified: 'customers.verified',
  email: 'admin-orders.email',
  filter: 'admin.filters',
  method: 'weigh.method',
  amount: 'admin-orders.amount',
  transaction_id: 'admin-orders.transaction',
  kind: 'coupons.kind',
  discount: 'admin-orders.discount',
  coupon: 'audit.subject.coupon',
  customer: 'audit.subject.customer',
  exchange: 'pos.exchange',
  category_id: 'rates.category',
  note: 'admin-orders.note',
  reason: 'admin-orders.reason',
  status: 'admin-orders.status',
  order: 'admin-orders.order',
  total: 'admin-orders.total',
  role: 'staff.role',
  second_factor: 'staff.second-factor',
  barcode: 'products.barcode',
  health: 'products.health',
  stock: 'products.stock',
  price: 'products.price',
  price_poisha: 'products.price',
  lines: 'admin-orders.goods',
  products: 'slots.products',
  tag: 'products.tag',
  weight_kg: 'products.weight',
  weighed_on: 'products.weighed-on',
  weighed_by: 'weigh.by',
}

const ORDER: Words = {
  address: 'admin-orders.address',
  landmark: 'admin-orders.landmark',
  remarks: 'admin-orders.remarks',
  tags: 'admin-orders.tags',
  areaId: 'admin-orders.area',
  listOn: 'admin-orders.list-on',
  isCollection: 'admin-orders.collection',
  lines: 'admin-orders.goods',
  shipping: 'admin-orders.shipping',
  method: 'admin-orders.method',
  payment: 'admin-orders.method',
  outcome: 'refunds.outcome',
  'fee-kept': 'admin-orders.event.fee-kept',
  'fee-reversed': 'admin-orders.event.fee-reversed',
  'written-off': 'admin-orders.event.written-off',
  'write-off-reversed': 'admin-orders.event.write-off-reversed',
}

const COUPON: Words = {
  code: 'coupons.code',
  percent_bp: 'coupons.percent',
  value_poisha: 'coupons.value',
  max_discount_poisha: 'coupons.cap',
  scope: 'coupons.on',
  products: 'coupons.scope.products',
  categories: 'coupons.categories',
  min_subtotal_poisha: 'coupons.minimum',
  starts_at: 'coupons.starts',
  ends_at: 'coupons.ends',
  max_uses: 'coupons.max-uses',
  max_uses_per_customer: 'coupons.max-each',
  first_order_only: 'coupons.first-order',
  active: 'coupons.active',
  note: 'coupons.note',
}

const STATEMENT: Words = {
  account: 'reconcile.account',
  statement: 'reconcile.statement',
  books: 'reconcile.books',
}

const SETTINGS: Words = {
  'shop.name': 'settings.shop.name',
  'shop.motto': 'settings.shop.motto',
  logo: 'settings.logo',
  'shop.phone': 'settings.shop.phone',
  'shop.whatsapp': 'settings.shop.whatsapp',
  'shop.email': 'settings.shop.email',
  'shop.address': 'settings.shop.address',
  'shop.openingHours': 'settings.shop.hours',
  announcement: 'settings.announcement',
  'payment_numbers.bank.bank': 'settings.bank.bank',
  'payment_numbers.bank.branch': 'settings.bank.branch',
  'payment_numbers.bank.accountName': 'settings.bank.accountName',
  'payment_numbers.bank.accountNumber': 'settings.bank.accountNumber',
  'payment_numbers.bank.routingNumber': 'settings.bank.routingNumber',
  'payment_numbers.bkash': 'settings.bkash',
  'payment_numbers.nagad': 'settings.nagad',
  advance_amount: 'settings.advance-amount',
  'expiry.paymentMinutes': 'settings.payment-minutes',
  'expiry.unreportedMinutes': 'settings.unreported-minutes',
  'expiry.advanceHours': 'settings.advance-hours',
  'cash_on_delivery.is_code_needed': 'settings.cod-code',
  'cash_on_delivery.code_from_taka': 'settings.cod-from',
  'holds.perPhone': 'settings.holds-phone',
  'holds.perBrowser': 'settings.holds-browser',
  'holds.perProvenPhone': 'settings.holds-verified',
  'holds.perNetwork': 'settings.holds-network',
  sms_daily_limit: 'settings.sms-daily-limit',
  alarm_emails: 'settings.alarm-emails',
  trade_licence: 'settings.trade-licence',
  map_url: 'settings.map-url',
  certificates_text: 'settings.certificates-text',
  certificates: 'settings.certificates-pictures',
  'analytics.pixel_id': 'settings.pixel-id',
  'analytics.ga4_id': 'settings.ga4-id',
  cutoff_hour: 'settings.cutoff',
  low_stock: 'settings.low-stock',
  'delivery_days.ahead': 'settings.days-ahead',
  'delivery_days.closed_weekdays': 'settings.closed-weekdays',
  'delivery_days.capacity.cattle': 'settings.capacity-cattle',
  'delivery_days.capacity.produce': 'settings.capacity-produce',
  'collection.is_offered': 'settings.collection-offered',
  'collection.address': 'settings.collection-address',
  'collection.note': 'settings.collection-note',
  // Names in entries of releases before 0.2.0.
  'till_discount.percent': 'settings.pos-percent',
  'till_discount.taka': 'settings.pos-taka',
  'till_return.taka': 'settings.pos-return-taka',
  'till_return.day_taka': 'settings.pos-return-day',
  'till_return.days': 'settings.pos-return-days',
  'pos_discount.percent': 'settings.pos-percent',
  'pos_discount.taka': 'settings.pos-taka',
  'pos_return.taka': 'settings.pos-return-taka',
  'pos_return.day_taka': 'settings.pos-return-day',
  'pos_return.days': 'settings.pos-return-days',
  blind_count: 'settings.blind-count',
  cash_rounding: 'settings.cash-rounding',
  'pos_methods.nagad': 'pos.nagad',
  'pos_methods.rocket': 'pos.rocket',
  'pos_methods.card': 'pos.card',
  walk_in_sales: 'settings.walk-in-sales',
  meat_yield: 'settings.meat-yield',
  gain_large: 'settings.gain-large',
  gain_small: 'settings.gain-small',
  weigh_in_kg_per_day: 'settings.weigh-in',
  'kurbani.season': 'settings.season.name',
  'kurbani.weighedFrom': 'settings.season.weighedFrom',
  'kurbani.weighedTo': 'settings.season.weighedTo',
  'kurbani.deliveryFrom': 'settings.season.deliveryFrom',
  'kurbani.deliveryTo': 'settings.season.deliveryTo',
  final_weighing: 'settings.final-weighing',
  sms_english: 'settings.sms-english',
  'quiet_hours.from': 'settings.quiet-from',
  'quiet_hours.to': 'settings.quiet-to',
  'delivery_sms.automatic': 'settings.delivery-automatic',
  'delivery_sms.hour': 'settings.delivery-hour',
  scale_labels: 'settings.part.scales',
  prefix: 'settings.scale-prefix',
  holds: 'settings.scale-holds',
  item_digits: 'settings.scale-item',
  value_digits: 'settings.scale-value',
  decimals: 'settings.scale-decimals-label',
  device_session_hours: 'settings.device-hours',
  'backup.hour': 'settings.backup-hour',
  'backup.daily': 'settings.backup-daily',
  'backup.weekly': 'settings.backup-weekly',
  'backup.monthly': 'settings.backup-monthly',
  staff_second_factor: 'settings.second-factor',
  isOpen: 'audit.field.isOpen',
  opensOn: 'setup.opens-on',
}

const OF: Record<string, Words> = {
  order: ORDER,
  coupon: COUPON,
  settings: SETTINGS,
  'statement-account': STATEMENT,
  'statement-row': STATEMENT,
  area: {
    cattle: 'areas.cattle',
    produce: 'areas.produce',
    active: 'areas.active',
    position: 'areas.position',
    closed_weekdays: 'settings.closed-weekdays',
  },
  category: {
    description: 'categories.description',
    delivery_group: 'categories.group',
    cod_allowed: 'categories.cod',
    final_weighing_days: 'categories.weighing',
  },
  campaign: { text_bn: 'campaigns.text-bn', text_en: 'campaigns.text-en', parts_limit: 'campaigns.limit' },
  customer: { no_campaigns: 'campaigns.opted-out' },
  text: { updated_on: 'texts.updated' },
  review: { refusal: 'reviews.refusal' },
  'pos-favourites': { product_ids: 'slots.products' },
  slot: { active: 'slots.active', product_ids: 'slots.products' },
  popup: {
    image_id: 'popups.picture',
    link: 'popups.link',
    alt_en: 'popups.alt-en',
    alt_bn: 'popups.alt-bn',
    starts_at: 'popups.starts',
    ends_at: 'popups.ends',
    active: 'popups.active',
  },
  register: { active: 'pos.registers.active' },
  shift: { id: 'audit.field.product_id' },
  rate: { season: 'rates.season', tiers: 'rates.tiers' },
}

export interface FieldWords {
  t: Translate
  /** Null where no entries of products are shown. */
  product: ProductWords | null
}

/** The label of a field; the key itself for a field without a form. Bilingual settings add the language. */
export function fieldLabels({ t, product }: FieldWords, subject: string, field: string): string {
  const words = { ...EVERYWHERE, ...(subject === 'product' ? product?.labels : OF[subject]) }
  const wordOf = (name: string) => (Object.hasOwn(words, name) ? words[name] : smsWord(name))
  const known = wordOf(field)
  if (known !== undefined) return plain(t, known)
  const [, stem = '', lang] = /^(.+)\.(en|bn)$/.exec(field) ?? []
  const word = wordOf(stem)
  if (word === undefined) {
    const key = `audit.field.${field}` as MessageKey
    const text = plain(t, key)
    return text === key ? field : text
  }
  return `${plain(t, word)} ${t(`settings.in-${lang as Lang}`)}`
}

/** The name of an SMS text, as in the settings. */
function smsWord(field: string): MessageKey | undefined {
  const [, template] = /^messages\.(\w+)$/.exec(field) ?? []
  return template === undefined ? undefined : (`settings.message.${template}` as MessageKey)
}

/** None of these takes anything. */
const plain = (t: Translate, key: MessageKey) => textByData(t)(key)
