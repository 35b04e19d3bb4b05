/** The EAN-13 of twelve digits, with its check digit: every second digit has weight 3, and the sum becomes a multiple of ten. */
export function ean13(twelveDigits: string): string {
  if (!/^\d{12}$/.test(twelveDigits)) throw new Error(`not twelve digits: ${twelveDigits}`)
  const digits = [...twelveDigits].map(Number)
  const sum = digits.reduce((total, digit, position) => total + digit * (position % 2 === 1 ? 3 : 1), 0)
  return `${twelveDigits}${(10 - (sum % 10)) % 10}`
}

/** Whether an EAN-8, UPC-A or EAN-13 has a valid check digit; null for codes of another kind. */
export function hasValidCheckDigit(code: string): boolean | null {
  if (!/^(\d{8}|\d{12,13})$/.test(code)) return null
  const all = code.padStart(13, '0')
  return ean13(all.slice(0, 12)) === all
}
