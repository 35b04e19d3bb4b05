import type { MessageKey } from './i18n/translate.ts'

const KEY = /^[a-z][\w-]*(\.[\w-]+)+$/

/** What is known of a validation issue, whichever library reports it. */
interface IssueFacts {
  /** The code of zod: `too_big`, `invalid_value`. */
  code: string | undefined
  /** The value is a text. */
  isText: boolean
  /** The field was not sent. */
  isUndefined: boolean
}

/** The message of a schema is the key of a text; another one is the library's own, for programmers, and gets a general text. */
export function issueMessageKey(message: string, facts: IssueFacts): MessageKey {
  return KEY.test(message) ? (message as MessageKey) : generalMessageKey(facts)
}

/** The text of an issue whose schema names none. */
function generalMessageKey({ code, isText, isUndefined }: IssueFacts): MessageKey {
  if (code === 'invalid_value') return 'field.choose'
  if (code === 'too_big' && isText) return 'field.too-long'
  return (code === 'too_small' && isText) || isUndefined ? 'field.required' : 'field.invalid'
}
