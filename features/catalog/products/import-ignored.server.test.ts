import { expect, it } from 'vitest'
import { buildAnimal, buildProduct } from '#test/factories.ts'
import { openCatalog } from './testing/catalog.ts'

const { db, clerk, fruits, cattle } = await openCatalog()

it('an import says that stock and weight of stored products are not changed, where they differ', async () => {
  const honey = await buildProduct(db, { name_en: 'Honey', category_id: fruits, stock_milli: 25_500 })
  const cow = await buildAnimal(db, { category_id: cattle, weight_grams: 250_500 })
  const plan = async (stock: string, kg: string) => {
    const csv = `Number,Name in English,Stock,Weight in kg\n${honey.id},Honey,"${stock}",\n${cow.id},${cow.name_en},,"${kg}"\n`
    const { body } = await clerk.post('/admin/products/import', { csv })
    const { sums, ignored } = body as unknown as { sums: { same: number }; ignored: string[] }
    return [sums.same, ignored]
  }
  expect(await plan('25.5', '২৫০.৫')).toEqual([2, []])
  expect(await plan('25.50', '')).toEqual([2, []])
  expect(await plan('৪০', '250.5')).toEqual([2, ['Stock']])
  expect(await plan('1,025.5', '260')).toEqual([2, ['Stock', 'Weight in kg']])
})
