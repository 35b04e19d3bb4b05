// The texts of the form for people who wait for a product. The form loads them.
import { registerMessages } from '#lib/i18n/translate.ts'
import { wait as bn } from './bn/wait.ts'
import { wait as en } from './en/wait.ts'

registerMessages('en', en)
registerMessages('bn', bn)
