import type { TranslationOf } from '#lib/i18n.ts'
import type { moving as original } from '../../en/office/moving.ts'

export const moving: TranslationOf<typeof original> = {
  'moving.up': (p) => `${p.name} ওপরে নিন`,
  'moving.down': (p) => `${p.name} নিচে নিন`,
}
