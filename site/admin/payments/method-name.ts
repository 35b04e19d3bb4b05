import { textByData, type Translate } from '#lib/i18n/translate.ts'

/** The name of a ledger method at the beginning of a line; an unknown one as it is. */
export function methodName(t: Translate, method: string): string {
  if (method === 'rounding' || method === 'fee' || method === 'write_off') return t(`ledger.${method}`)
  const key = `method.${method}`
  const text = textByData(t)(key)
  return text === key ? method : text.replace(/^[a-z](?=[a-z\s])/, (letter) => letter.toUpperCase())
}
