// The name of this device's register, typed when a shift is opened. It is printed on receipts, also without network.
const KEY = 'khamar.register'

export function deviceRegister(): string {
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    // Forbidden storage: the register has no name.
    return ''
  }
}

export function storeRegister(name: string): void {
  try {
    localStorage.setItem(KEY, name)
  } catch {
    // Full or forbidden storage: the name is typed again with the next shift.
  }
}
