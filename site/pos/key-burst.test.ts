import { describe, expect, it, test } from 'vitest'
import { isScan, type KeyBurst, meanGap, scannedCode, withKey } from './key-burst.ts'

/** A burst of keys with these gaps before them, in milliseconds. */
function typed(...keys: [text: string, gap: number][]): KeyBurst {
  let burst: KeyBurst | null = null
  let now = 1000
  for (const [text, gap] of keys)
    for (const key of text) {
      now += gap
      burst = withKey(burst, key, now)
    }
  return burst!
}

describe('keys in a row', () => {
  it('begin a new burst after a pause', () => {
    expect(typed(['ma', 120], ['8', 400], ['900', 5]).text).toBe('8900')
    expect(typed(['mango', 120]).text).toBe('mango')
  })

  it('are one scan also with a long pause inside, at the speed of a scanner', () => {
    expect(typed(['89000000', 5], ['0', 600], ['0017', 5]).text).toBe('8900000000017')
    expect(typed(['89000000', 5], ['0', 1100], ['0017', 5]).text).toBe('00017')
  })
})

test.each<[string, KeyBurst | null, number, boolean]>([
  ['a scanner', typed(['8900000000017', 5]), 5, true],
  ['six keys at any speed', typed(['890000', 140]), 100, true],
  ['five slow keys', typed(['89000', 140]), 100, false],
  ['two keys', typed(['89', 5]), 5, false],
  ['Enter after a pause', typed(['8900000000017', 5]), 151, false],
  ['no keys', null, 0, false],
])('a scan into another field: %s', (_name, burst, pause, expected) => {
  expect(isScan(burst, (burst?.last ?? 0) + pause)).toBe(expected)
})

describe('the code in the scan box', () => {
  const known = new Set(['8900000000017', 'B-201', '00017'])
  const code = (text: string, ...keys: Parameters<typeof typed>) => scannedCode(text, typed(...keys), (one) => known.has(one))

  test.each<[string, string, Parameters<typeof typed>, string]>([
    ['a scan alone', '8900000000017', [['8900000000017', 5]], '8900000000017'],
    ['after half-typed letters', 'ma8900000000017', [['8900000000017', 5]], '8900000000017'],
    ['after half-typed letters, of a product the device does not know', 'ma7700000000015', [['7700000000015', 5]], '7700000000015'],
    ['before half-typed letters', '7700000000015ma', [['7700000000015', 5]], '7700000000015'],
    ['after half-typed digits', '128900000000017', [['8900000000017', 5]], '8900000000017'],
    ['with a pause inside, of a product the device does not know', '7700000000015', [['00000000015', 5]], '7700000000015'],
    ['late keys, of a known product', 'maB-201', [['B-201', 100]], 'B-201'],
    ['late keys, of an unknown product', 'maB-999', [['B-999', 100]], 'maB-999'],
    ['typed letters', 'mango', [['ngo', 120]], 'mango'],
    ['a known code typed in two parts', '8900000000017', [['00017', 5]], '8900000000017'],
    ['an unknown code typed by hand in two parts', '7700000000015', [['000015', 120]], '7700000000015'],
    ['after letters without a pause', 'ma8900000000017', [['ma8900000000017', 5]], '8900000000017'],
    ['after letters without a pause, unknown', 'ma7700000000015', [['ma7700000000015', 5]], 'ma7700000000015'],
    ['letters and digits typed by hand', 'ma7700000000015', [['ma7700000000015', 120]], 'ma7700000000015'],
    ['keys that the box did not take', 'ma', [['8900000000017', 5]], 'ma'],
  ])('%s', (_name, text, keys, expected) => expect(code(text, ...keys)).toBe(expected))

  it('is the whole text without keys: pasted, or written by an input method', () => {
    expect(scannedCode('আম', null, () => false)).toBe('আম')
  })
})

test('the mean gap of keys is that of the events; a single key has none', () => {
  expect(meanGap({ text: '8', began: 10, last: 10 })).toBe(Infinity)
  expect(meanGap({ text: '890', began: 10, last: 30 })).toBe(10)
})
