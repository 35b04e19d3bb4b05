import { IN_STORE_PREFIXES } from '#features/settings/in-store-prefixes.ts'
import type { ScaleLabelRule } from '#features/settings/settings.ts'

/** The prefix of the shop's own barcodes: the first in-store prefix that no scale uses, 29 when all are used. */
export function ownPrefix(rules: readonly Pick<ScaleLabelRule, 'prefix'>[]): string {
  const used = new Set<string>(rules.map(({ prefix }) => prefix))
  return IN_STORE_PREFIXES.find((prefix) => !used.has(prefix)) ?? '29'
}
