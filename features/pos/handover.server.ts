import { dayErrorText } from '#features/orders/checkout/checkout-errors.server.ts'
import { readCalendar } from '#features/orders/delivery-calendar.server.ts'
import type { FieldErrors, PricedProduct } from '#features/orders/editing/order-line-pricing.server.ts'
import { listDate } from '#features/orders/list-date.ts'
import type { CachedArea } from '#features/catalog/shop-cache.server.ts'
import { planDelivery } from '#features/pricing/delivery-day-rules.ts'
import { areaCharges } from '#features/pricing/rules.ts'
import { collectionAddress } from '#features/settings/collection-rules.ts'
import type { Settings } from '#features/settings/settings.ts'
import type { Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { SaleForm } from './forms.ts'

/** When and where the products of a sale leave the shop. */
export interface Handover {
  ok: true
  /** The list day of the order. */
  listOn: string
  /** The customer collects the products on a later day. */
  isCollection: boolean
  /** Of the delivery, or of the farm for a collection; empty over the counter. */
  address: string
  areaId: number | null
}

type Invalid = { ok: false; reason: 'invalid'; errors: FieldErrors }

interface HandoverContext {
  area: CachedArea | undefined
  settings: Settings
  now: Date
  lang: Lang
}

/**
 * Plans the delivery or collection of a sale by the rule of the website (`planDelivery`). A chosen day must be possible now, also for a sale
 * that was queued without network. Without one the earliest possible day is taken.
 */
export async function planHandover(
  db: Db,
  { delivery, collection }: SaleForm,
  products: Pick<PricedProduct, 'rows'>,
  context: HandoverContext,
): Promise<Handover | Invalid> {
  const { settings, lang } = context
  if (collection === undefined) {
    if (delivery) return planLater(db, { ...delivery, isCollection: false }, products, context)
    return { ok: true, listOn: earliestListDay(context), isCollection: false, address: '', areaId: null }
  }
  const t = translate(lang)
  if (delivery) return invalid('collection', t('pos.deliver-or-collect'))
  if (!settings.collection.is_offered) return invalid('collection', t('refusal.no-collection'))
  const address = collectionAddress(settings, lang)
  return planLater(db, { ...collection, address, area_id: null, isCollection: true }, products, context)
}

const earliestListDay = ({ settings, now }: HandoverContext) => listDate(now, settings.cutoff_hour)

function invalid(field: string, text: string): Invalid {
  return { ok: false, reason: 'invalid', errors: { [field]: [text] } }
}

interface Later {
  day?: string | undefined
  address: string
  area_id: number | null
  isCollection: boolean
}

async function planLater(
  db: Db,
  { day, address, area_id: areaId, isCollection }: Later,
  { rows }: Pick<PricedProduct, 'rows'>,
  context: HandoverContext,
): Promise<Handover | Invalid> {
  const { area, settings, lang } = context
  const listOn = earliestListDay(context)
  const calendar = await readCalendar(db, settings, listOn)
  const products = [...rows.values()].map((row) => ({ deliveryGroup: row.delivery_group, deliveryOn: row.delivery_on }))
  const terms = { listOn, calendar, area: area ? areaCharges(area) : null }
  const plan = planDelivery(terms, { isCollection, deliveryOn: day ?? null }, products)
  if (plan.isImpossible) return invalid(isCollection ? 'collection.day' : 'delivery.day', dayErrorText(plan.days[0] ?? null, lang))
  return { ok: true, listOn: plan.listOn ?? listOn, isCollection, address, areaId }
}
