import { TEXT_LIMIT } from './text.ts'

/** Whether a text can be an email address: one @, something before it, a name with a dot behind it, no spaces. Delivery proves the rest. */
export function isEmail(text: string): boolean {
  return text.length <= TEXT_LIMIT && /^[^\s@<>()",:;[\]\\]+@[^\s@.<>()",:;[\]\\]+(\.[^\s@.<>()",:;[\]\\]+)+$/.test(text)
}
