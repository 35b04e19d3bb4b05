import { comparePath, parseCompared } from '#features/catalog/compare-rules.ts'
import { listShownHealthRecords } from '#features/catalog/animal-card.server.ts'
import { listParticulars } from '#features/catalog/products/particulars.server.ts'
import { findProduct } from '#features/catalog/queries.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Loaded, PageContext } from '#site/page-route.server.ts'
import type { ComparedAnimal } from './compare.page.tsx'

/** The animals of the URL that are in the shop, in its order. */
export async function loadCompare({ db, lang, query }: PageContext): Promise<Loaded<'store/compare/compare'>> {
  const ids = parseCompared(query.ids)
  const found = await Promise.all(
    ids.map(async (id): Promise<ComparedAnimal | null> => {
      const [product, health] = await Promise.all([findProduct(db, id, lang, 'shown'), listShownHealthRecords(db, id, lang)])
      return product?.is_unique ? { product, particulars: listParticulars(product, lang), health } : null
    }),
  )
  const animals = found.filter((one) => one !== null)
  const title = translate(lang)('compare.title')
  const head = { title, canonical: ids.length === 0 ? comparePath([]) : null }
  return { props: { animals, isIncomplete: animals.length < ids.length }, head }
}
