import type { RegisterChoice } from '#features/pos/registers.server.ts'

// The register of this device, chosen when a shift is opened. Its name is printed on receipts, also without network; its id finds it again
// after it was renamed.
const KEY = 'khamar.register'
const ID_KEY = 'khamar.register-id'

export function deviceRegister(): string {
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    // Forbidden storage: the register has no name.
    return ''
  }
}

/** The register to propose for a shift: the last one of this device as it is called now; empty when it is switched off or has an open shift. */
export function proposedRegister(registers: readonly RegisterChoice[]): string {
  const name = deviceRegister()
  let id: string | null = null
  try {
    id = localStorage.getItem(ID_KEY)
  } catch {
    // Forbidden storage has no name either.
  }
  const last = registers.find((one) => (id ? String(one.id) === id : one.name === name))
  if (!last) return id ? '' : name
  return last.open_by === null ? last.name : ''
}

export function storeRegister(name: string, id: number | null): void {
  try {
    localStorage.setItem(KEY, name)
    localStorage.setItem(ID_KEY, id === null ? '' : String(id))
  } catch {
    // Full or forbidden storage: the name is typed again with the next shift.
  }
}
