// Which address was chosen last in this browser, and by whom: another customer's choice means nothing.
const KEY = 'selectedAddress'

/** The id remembered for this customer, or null. */
export function rememberedAddress(customerId: number): number | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as { customer?: unknown; address?: unknown } | null
    return kept?.customer === customerId && typeof kept.address === 'number' ? kept.address : null
  } catch {
    return null
  }
}

/** Remembers a choice; null forgets it. */
export function rememberAddress(customerId: number, addressId: number | null): void {
  try {
    if (addressId === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, JSON.stringify({ customer: customerId, address: addressId }))
  } catch {
    // A browser that keeps nothing: the default holds next time.
  }
}
