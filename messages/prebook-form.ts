// The texts of the pre-booking form, for pages that know only those of the shop window.
import { registerMessages } from '#lib/i18n.ts'
import { prebook as bn } from './bn/prebook.ts'
import { prebook as en } from './en/prebook.ts'

registerMessages('en', en)
registerMessages('bn', bn)
