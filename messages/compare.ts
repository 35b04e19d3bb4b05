// The texts of the comparison. Its page and its bar load them.
import { registerMessages } from '#lib/i18n/translate.ts'
import { compare as bn } from './bn/compare.ts'
import { compare as en } from './en/compare.ts'

registerMessages('en', en)
registerMessages('bn', bn)
