import type { CartItem } from '#features/cart/rules.ts'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import { type Address, addressProblems } from '#features/customers/address-rules.ts'
import { type AreaWithCharges, findAreaError } from '#features/orders/checkout/checkout-rules.ts'
import { type DetailsProblems, type GuestDetails, guestDetailsProblems, normalizeDetails } from '#features/orders/checkout/details-rules.ts'

interface DetailsInput {
  /** The chosen address of the address book; null when the details are typed. */
  saved: Address | null
  typed: GuestDetails
  account: { phone: string; phoneProven: boolean } | null
  areas: readonly AreaWithCharges[]
  items: readonly CartItem[]
}

/** Where the order goes: contact and address, the area with its charges, and what is wrong with them. */
export function deliveryDetails({ saved, typed, account, areas, items }: DetailsInput) {
  const details: GuestDetails & { id?: number } = saved === null ? typed : detailsOf(saved, account, typed)
  const area = areas.find((one) => one.id === details.area_id) ?? null
  const groups = [...new Set(items.map((item): DeliveryGroup => item.deliveryGroup))]
  const areaIds = areas.map((one) => one.id)
  const problems: DetailsProblems = saved === null ? guestDetailsProblems(details, areaIds) : addressProblems(saved, areaIds)
  return {
    /** Contact and address, as typed or from the chosen address. */
    details,
    area,
    groups,
    problems,
    areaProblem: findAreaError(area, groups),
    /** The order's phone is the account's verified phone. */
    isPhoneConfirmed: account?.phoneProven === true && normalizeDetails(details).phone === account.phone,
  }
}

export type DeliveryDetails = ReturnType<typeof deliveryDetails>

/** A saved address as order details; an account without an email may have given one for an earlier order of this tab. */
function detailsOf(saved: Address, account: { phone: string } | null, written: GuestDetails): GuestDetails & { id: number } {
  const { is_default: _default, ...address } = saved
  return { ...address, email: saved.email || written.email, phone: saved.phone || (account?.phone ?? '') }
}
