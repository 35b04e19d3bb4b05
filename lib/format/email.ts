import { TEXT_LIMIT } from './text.ts'

/** Whether a text has the form of an email address: one @, a local part, a domain with a dot, no spaces. */
export function isEmail(text: string): boolean {
  return text.length <= TEXT_LIMIT && /^[^\s@<>()",:;[\]\\]+@[^\s@.<>()",:;[\]\\]+(\.[^\s@.<>()",:;[\]\\]+)+$/.test(text)
}
