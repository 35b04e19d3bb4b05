import type { ScaleLabelRule } from '#features/settings/settings.ts'

const PREFIXES = Array.from({ length: 10 }, (_, n) => `2${n}`)

/** The prefix of the shop's own barcodes: the first of the in-store prefixes 20 to 29 that no scale uses. */
export function ownPrefix(rules: readonly Pick<ScaleLabelRule, 'prefix'>[]): string {
  const used = new Set(rules.map(({ prefix }) => prefix))
  return PREFIXES.find((prefix) => !used.has(prefix)) ?? '29'
}
