// The texts of the pre-booking form. The Kurbani page loads them with the form, and only when no cow is for sale.
import { registerMessages } from '#lib/i18n/translate.ts'
import { prebook as bn } from './bn/prebook.ts'
import { prebook as en } from './en/prebook.ts'

registerMessages('en', en)
registerMessages('bn', bn)
