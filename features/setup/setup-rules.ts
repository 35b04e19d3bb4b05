// What a new shop still lacks, computed from its data. Pages show it; nothing is ticked by hand.

/** What the set-up and the health page know about the shop. Amounts are taka. */
export interface ShopFacts {
  today: string
  isOpen: boolean
  /** Whether the name differs from the one that every new shop has. */
  hasOwnName: boolean
  phone: string
  address: string
  cutoffHour: number
  activeAreas: number
  gateways: string[]
  /** Accounts for advances that customers transfer by hand. */
  advanceAccounts: number
  sms: { isConfigured: boolean; problem: string | null; balance: number | null }
  draftPolicies: number
  visibleProducts: number
  hiddenProducts: number
  /** Open accounts of staff who are not owners. */
  staff: number
  /** The last delivery day of the Kurbani season. */
  seasonEnds: string
  kurbaniAnimals: number
}

export const SETUP_STEPS = ['shop', 'areas', 'delivery', 'payment', 'sms', 'policies', 'products', 'staff', 'season'] as const
export type SetupStepKey = (typeof SETUP_STEPS)[number]

export type SetupItemKey =
  | 'name'
  | 'phone'
  | 'address'
  | 'areas'
  | 'cutoff'
  | 'gateway'
  | 'accounts'
  | 'sms'
  | 'policies'
  | 'product'
  | 'drafts'
  | 'staff'
  | 'season'

export interface SetupItem {
  key: SetupItemKey
  isDone: boolean
  isRequired: boolean
  /** A number that the text names: areas, drafts, the hour. */
  count: number
}

export interface SetupStep {
  key: SetupStepKey
  /** `missing`: a required item is open. `optional`: only others are. */
  state: 'done' | 'missing' | 'optional'
  items: SetupItem[]
}

const required = (key: SetupItemKey, isDone: boolean, count = 0): SetupItem => ({ key, isDone, isRequired: true, count })
const optional = (key: SetupItemKey, isDone: boolean, count = 0): SetupItem => ({ key, isDone, isRequired: false, count })

/** The steps of the set-up in their order, each with what is done and what is missing. */
export function setupSteps(facts: ShopFacts): SetupStep[] {
  const items: Record<SetupStepKey, SetupItem[]> = {
    shop: [optional('name', facts.hasOwnName), required('phone', facts.phone !== ''), required('address', facts.address !== '')],
    areas: [required('areas', facts.activeAreas > 0, facts.activeAreas)],
    delivery: [required('cutoff', true, facts.cutoffHour)],
    payment: [
      optional('gateway', facts.gateways.length > 0),
      // An animal is booked with an advance, which needs one of the two.
      { ...required('accounts', facts.advanceAccounts > 0), isRequired: facts.gateways.length === 0 },
    ],
    sms: [optional('sms', facts.sms.isConfigured && facts.sms.problem === null)],
    policies: [required('policies', facts.draftPolicies === 0, facts.draftPolicies)],
    products: [
      required('product', facts.visibleProducts > 0, facts.visibleProducts),
      ...(facts.hiddenProducts > 0 ? [optional('drafts', false, facts.hiddenProducts)] : []),
    ],
    staff: [optional('staff', facts.staff > 0, facts.staff)],
    season: [{ ...optional('season', facts.seasonEnds >= facts.today), isRequired: facts.kurbaniAnimals > 0 }],
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
}: Pick<ShopFacts, 'visibleProducts' | 'activeAreas'>): 'product' | 'areas' | null {
  if (visibleProducts === 0) return 'product'
  return activeAreas === 0 ? 'areas' : null
}
