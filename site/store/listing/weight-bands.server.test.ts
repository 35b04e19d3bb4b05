import { expect, it } from 'vitest'
import type { WeightBand } from '#features/catalog/rules.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })

const idOf = async (key: 'beef' | 'kurbani') =>
  (await db.selectFrom('categories').select('id').where('key', '=', key).executeTakeFirstOrThrow()).id

/** The lightest band of a page, in taka. */
async function lightest(path: string): Promise<(number | null)[]> {
  const [band] = pageProps<{ bands: WeightBand[] }>((await shop.get(path)).text).bands
  return [band!.minPrice, band!.maxPrice]
}

it('the weights of a list filter by the rates of now: those of the season for Kurbani', async () => {
  const [kurbani, beef] = [await idOf('kurbani'), await idOf('beef')]
  await buildProduct(db, { category_id: kurbani, status: 'in-stock' })
  expect(await lightest('/kurbani')).toEqual([110_000, 137_500])
  expect([await lightest('/'), await lightest('/beef')]).toEqual([
    [78_000, 104_000],
    [78_000, 104_000],
  ])
  const rate = (category_id: number, season: string, taka: number) =>
    db
      .insertInto('rate_tiers')
      .values({ category_id, season, from_grams: 0, poisha_per_kg: taka * 100 })
      .execute()
  await rate(kurbani, DEFAULT_SETTINGS.kurbani.season, 600)
  await rate(kurbani, '', 100)
  await rate(beef, '', 500)
  await expect.poll(() => lightest('/kurbani')).toEqual([120_000, 150_000])
  await expect
    .poll(async () => [await lightest('/'), await lightest('/beef')])
    .toEqual([
      [75_000, 100_000],
      [75_000, 100_000],
    ])
})
