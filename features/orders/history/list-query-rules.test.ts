import { expect, it } from 'vitest'
import { rareNames } from './list-query-rules.ts'

const common = new Map([
  ['slm', 0.14],
  ['rhm', 0.12],
  ['rhn', 0.001],
])

it.each([
  ['a name that few have beside one that many have', ['mhmd', 'slm'], ['mhmd']],
  ['the rarest of several', ['slm', 'rhn', 'xq'], ['xq']],
  ['one that some have, but few enough', ['slm', 'rhn'], ['rhn']],
  ['two that many have', ['slm', 'rhm'], ['slm', 'rhm']],
  ['a beginning that a common name has', ['rh', 'slm'], ['rh', 'slm']],
  ['one name', ['slm'], ['slm']],
])('the name index is searched for %s', (_what, names, asked) => {
  expect(rareNames(names, common)).toEqual(asked)
})

it('without statistics no name is rare', () => {
  expect(rareNames(['mhmd', 'slm'], new Map())).toEqual(['mhmd', 'slm'])
})
