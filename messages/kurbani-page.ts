// What the Kurbani page says beside the texts of the shop window; importing this module makes it known in both languages.
import { registerMessages } from '#lib/i18n.ts'
import { kurbani as bn } from './bn/kurbani.ts'
import { kurbani as en } from './en/kurbani.ts'

registerMessages('en', en)
registerMessages('bn', bn)
