// What a new shop still lacks, computed from its data. Pages show it; nothing is ticked by hand.

/** What the set-up and the health page know about the shop. Amounts are taka. */
export interface ShopSnapshot {
  today: string
  isOpen: boolean
  /** Whether the name differs from the one that every new shop has. */
  hasOwnName: boolean
  hasLogo: boolean
  phone: string
  address: string
  cutoffHour: number
  /** How many days shoppers choose from, and how many weekdays have no delivery. */
  deliveryDays: { ahead: number; closedWeekdays: number }
  /** Whether customers may collect their orders at the farm. */
  hasCollection: boolean
  hasLicence: boolean
  hasMap: boolean
  hasCertificates: boolean
  /** The pages About and Contact that are not written yet. */
  draftAboutPages: number
  activeAreas: number
  gateways: string[]
  /** Accounts for advances that customers transfer by hand. */
  advanceAccounts: number
  /** Animals in the shop that can be paid neither by an advance nor on delivery; at most 1000. */
  animalsWithoutAdvance: number
  sms: { isConfigured: boolean; problem: string | null; balance: number | null }
  draftPolicies: number
  visibleProducts: number
  hiddenProducts: number
  /** Open accounts of staff who are not owners. */
  staff: number
  /** The first delivery day of a Kurbani season that has not begun; else null. */
  seasonStarts: string | null
  /** The last delivery day of the season. */
  seasonEnds: string
  /** The next expected Eid-ul-Adha, while the season in the settings is another one. */
  proposedEid: string | null
  /** Shown Kurbani animals that are for sale or on hold: those that were sold need no season. */
  kurbaniAnimals: number
  /** Animals of Kurbani that can be ordered and have no delivery date of their own; at most 1000. */
  kurbaniWithoutDay: number
}

export const SETUP_STEPS = ['shop', 'areas', 'delivery', 'payment', 'sms', 'about', 'policies', 'products', 'staff', 'season'] as const
export type SetupStepKey = (typeof SETUP_STEPS)[number]

export type SetupItemKey =
  | 'name'
  | 'logo'
  | 'phone'
  | 'address'
  | 'areas'
  | 'cutoff'
  | 'days'
  | 'weekdays'
  | 'collection'
  | 'gateway'
  | 'accounts'
  | 'sms'
  | 'licence'
  | 'map'
  | 'certificates'
  | 'about'
  | 'policies'
  | 'product'
  | 'drafts'
  | 'staff'
  | 'season'
  | 'season-days'

export interface SetupItem {
  key: SetupItemKey
  isDone: boolean
  isRequired: boolean
  /** A number that the text names: areas, drafts, the hour. */
  count: number
  /** A day that the text names; empty for none. */
  day: string
}

export interface SetupStep {
  key: SetupStepKey
  /** `missing`: a required item is open. `optional`: only others are. */
  state: 'done' | 'missing' | 'optional'
  items: SetupItem[]
}

const required = (key: SetupItemKey, isDone: boolean, count = 0): SetupItem => ({ key, isDone, isRequired: true, count, day: '' })
const optional = (key: SetupItemKey, isDone: boolean, count = 0): SetupItem => ({ key, isDone, isRequired: false, count, day: '' })

/** The steps of the set-up in their order, each with its state. */
export function setupSteps(snapshot: ShopSnapshot): SetupStep[] {
  const items: Record<SetupStepKey, SetupItem[]> = {
    shop: [
      optional('name', snapshot.hasOwnName),
      optional('logo', snapshot.hasLogo),
      required('phone', snapshot.phone !== ''),
      required('address', snapshot.address !== ''),
    ],
    areas: [required('areas', snapshot.activeAreas > 0, snapshot.activeAreas)],
    delivery: [
      required('cutoff', true, snapshot.cutoffHour),
      required('days', true, snapshot.deliveryDays.ahead),
      required('weekdays', true, snapshot.deliveryDays.closedWeekdays),
      optional('collection', snapshot.hasCollection),
    ],
    payment: [
      optional('gateway', snapshot.gateways.length > 0),
      // An animal is booked with an advance, which needs one of the two.
      { ...required('accounts', snapshot.advanceAccounts > 0), isRequired: snapshot.gateways.length === 0 },
    ],
    sms: [optional('sms', snapshot.sms.isConfigured && snapshot.sms.problem === null)],
    about: [
      optional('licence', snapshot.hasLicence),
      optional('map', snapshot.hasMap),
      optional('certificates', snapshot.hasCertificates),
      optional('about', snapshot.draftAboutPages === 0, snapshot.draftAboutPages),
    ],
    policies: [required('policies', snapshot.draftPolicies === 0, snapshot.draftPolicies)],
    products: [
      required('product', snapshot.visibleProducts > 0, snapshot.visibleProducts),
      ...(snapshot.hiddenProducts > 0 ? [optional('drafts', false, snapshot.hiddenProducts)] : []),
    ],
    staff: [optional('staff', snapshot.staff > 0, snapshot.staff)],
    season: [
      {
        ...optional('season', snapshot.seasonEnds >= snapshot.today),
        isRequired: snapshot.kurbaniAnimals > 0,
        day: snapshot.proposedEid ?? '',
      },
      // Orders follow the date of each animal: without one, shoppers choose days before the season.
      ...(snapshot.kurbaniWithoutDay > 0 && snapshot.seasonStarts ? [optional('season-days', false, snapshot.kurbaniWithoutDay)] : []),
    ],
  }
  return SETUP_STEPS.map((key) => ({ key, state: stateOf(items[key]), items: items[key] }))
}

function stateOf(items: SetupItem[]): SetupStep['state'] {
  if (items.some(({ isDone, isRequired }) => isRequired && !isDone)) return 'missing'
  return items.some(({ isDone }) => !isDone) ? 'optional' : 'done'
}

/** Why the shop cannot open yet; null when it can. Everything else only warns. */
export function openingProblem({
  visibleProducts,
  activeAreas,
}: Pick<ShopSnapshot, 'visibleProducts' | 'activeAreas'>): 'product' | 'areas' | null {
  if (visibleProducts === 0) return 'product'
  return activeAreas === 0 ? 'areas' : null
}
