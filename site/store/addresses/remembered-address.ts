// The address chosen last in this browser, with its customer: another customer's choice is ignored.
const KEY = 'selectedAddress'

/** The id remembered for this customer, or null. */
export function rememberedAddress(customerId: number): number | null {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as { customer?: unknown; address?: unknown } | null
    return stored?.customer === customerId && typeof stored.address === 'number' ? stored.address : null
  } catch {
    return null
  }
}

/** Remembers a choice; null removes it. */
export function rememberAddress(customerId: number, addressId: number | null): void {
  try {
    if (addressId === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, JSON.stringify({ customer: customerId, address: addressId }))
  } catch {
    // Without storage the default address applies next time.
  }
}
