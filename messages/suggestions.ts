// The texts of the suggestions. A page loads them with the suggestions, when the search box is used.
import { registerMessages } from '#lib/i18n/translate.ts'
import { suggest as bn } from './bn/suggest.ts'
import { suggest as en } from './en/suggest.ts'

registerMessages('en', en)
registerMessages('bn', bn)
