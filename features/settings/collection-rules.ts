import type { Lang } from '#lib/i18n/lang.ts'
import type { Settings } from './settings.ts'

/** Where customers collect their orders: the place in the settings, else the address of the shop. */
export function collectionAddress({ collection, shop }: Pick<Settings, 'collection' | 'shop'>, lang: Lang): string {
  return collection.address[lang] || shop.address[lang]
}
