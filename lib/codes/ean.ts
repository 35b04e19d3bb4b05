/** The EAN-13 of twelve digits: its last digit is what is missing to ten when every second digit counts threefold. */
export function ean13(twelveDigits: string): string {
  if (!/^\d{12}$/.test(twelveDigits)) throw new Error(`not twelve digits: ${twelveDigits}`)
  const digits = [...twelveDigits].map(Number)
  const sum = digits.reduce((total, digit, place) => total + digit * (place % 2 === 1 ? 3 : 1), 0)
  return `${twelveDigits}${(10 - (sum % 10)) % 10}`
}

/** Whether 8, 12 or 13 digits end in the check digit of an EAN or UPC; null for codes of another kind, which have none. */
export function eanIsRight(code: string): boolean | null {
  if (!/^(\d{8}|\d{12,13})$/.test(code)) return null
  const all = code.padStart(13, '0')
  return ean13(all.slice(0, 12)) === all
}
