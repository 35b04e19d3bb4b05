import { expect, test } from 'vitest'
import { activeBand, bandLabel } from './rules.ts'
import { weightBands } from './weight-band-rules.ts'

const tier = (fromKg: number, takaPerKg: number) => ({ fromGrams: fromKg * 1000, poishaPerKg: takaPerKg * 100 })
const BEEF = weightBands('beef', [])
const KURBANI = weightBands('kurbani', [])
const prices = (bands: ReturnType<typeof weightBands>) => bands.map((band) => [band.minPrice, band.maxPrice])

test('without rates the bands have the specified labels and prices', () => {
  expect(BEEF.map((band) => [bandLabel(band, 'en'), band.minPrice, band.maxPrice])).toEqual([
    ['150-200kg', 78_000, 104_000],
    ['200-225kg', 104_000, 117_000],
    ['225-250kg', 117_000, 130_000],
    ['250-275kg', 130_000, 143_000],
    ['275-300kg', 143_000, 156_000],
    ['300-325kg', 156_000, 169_000],
    ['325-350+kg', 169_000, null],
  ])
  expect(KURBANI.map((band) => [bandLabel(band, 'en'), band.minPrice, band.maxPrice])).toEqual([
    ['200-250kg', 110_000, 137_500],
    ['251-300kg', 135_540, 162_000],
    ['301-350kg', 159_530, 185_500],
    ['351-400+kg', 184_275, null],
  ])
  expect(bandLabel(KURBANI[3]!, 'bn')).toBe('৩৫১-৪০০+ কেজি')
})

test('the specified rates give the specified prices', () => {
  expect(weightBands('beef', [tier(0, 520)])).toEqual(BEEF)
  expect(weightBands('kurbani', [tier(351, 525), tier(200, 550), tier(251, 540), tier(301, 530)])).toEqual(KURBANI)
})

test('other rates move the prices', () => {
  expect(prices(weightBands('kurbani', [tier(0, 600)]))).toEqual([
    [120_000, 150_000],
    [150_600, 180_000],
    [180_600, 210_000],
    [210_600, null],
  ])
  expect(prices(weightBands('kurbani', [tier(0, 555)]))[1]).toEqual([139_305, 166_500])
})

test('animals of a band that are cheaper than lighter ones are in it', () => {
  // 239.999 kg cost 143,999 taka, 240 kg cost 120,000.
  expect(prices(weightBands('beef', [tier(100, 600), tier(240, 500)]))[2]).toEqual([120_000, 143_999])
  // 399.999 kg cost 239,999 taka, 400 kg cost 160,000.
  expect(prices(weightBands('kurbani', [tier(0, 600), tier(400, 400)])).at(-1)).toEqual([160_000, null])
})

test('below the lowest tier its rate counts', () => {
  expect(prices(weightBands('kurbani', [tier(240, 500)]))[0]).toEqual([100_000, 125_000])
})

test('the band of the shown prices is active', () => {
  expect(activeBand(KURBANI, { minPrice: 135_540, maxPrice: 162_000 })).toBe(KURBANI[1])
  expect(activeBand(KURBANI, { minPrice: 184_275, maxPrice: 100_000_000 })).toBe(KURBANI[3])
  expect(activeBand(KURBANI, { minPrice: 0, maxPrice: 100_000_000 })).toBeNull()
})
