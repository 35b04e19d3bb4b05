import type { MessageKey } from './i18n/translate.ts'

const KEY = /^[a-z][\w-]*(\.[\w-]+)+$/

/** The parts of a validation issue that choose a message. */
interface IssueDetails {
  /** The code of zod: `too_big`, `invalid_value`. */
  code: string | undefined
  /** The value is a text. */
  isText: boolean
  /** The field was not sent. */
  isUndefined: boolean
}

/** The message key of an issue. Schemas use keys as messages; a message of the library itself becomes a general text. */
export function issueMessageKey(message: string, details: IssueDetails): MessageKey {
  return KEY.test(message) ? (message as MessageKey) : generalMessageKey(details)
}

/** The key for an issue whose schema has no message. */
function generalMessageKey({ code, isText, isUndefined }: IssueDetails): MessageKey {
  if (code === 'invalid_value') return 'field.choose'
  if (code === 'too_big' && isText) return 'field.too-long'
  return (code === 'too_small' && isText) || isUndefined ? 'field.required' : 'field.invalid'
}
