/** The last digit of an EAN-13: what is missing to ten when every second digit counts threefold. */
export function ean13(twelveDigits: string): string {
  if (!/^\d{12}$/.test(twelveDigits)) throw new Error(`not twelve digits: ${twelveDigits}`)
  const sum = [...twelveDigits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0)
  return `${twelveDigits}${(10 - (sum % 10)) % 10}`
}

/** A number of the range that shops may use for themselves (prefix 20 to 29). */
export function ownBarcode(number: number): string {
  return ean13(`20${String(number).padStart(10, '0')}`)
}
