import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CATEGORY_KEYS } from '#features/catalog/category-keys.ts'
import { translate } from '#lib/i18n/translate.ts'
import { usedKeys } from '#scripts/page-messages.ts'
import { accountBn } from './bn-account.ts'
import { adminBn } from './bn-admin.ts'
import { bn as shopBn } from './bn.ts'
import { accountEn } from './en-account.ts'
import { adminEn } from './en-admin.ts'
import { en as shopEn } from './en.ts'

const bn = { ...shopBn, ...accountBn, ...adminBn }
const en = { ...shopEn, ...accountEn, ...adminEn }

test('a text with and without arguments, in both languages', () => {
  expect(translate('en')('partial.invalid')).toBe('Please enter a valid number.')
  expect(translate('en')('partial.belowDelivery', { amount: '৳1,500' })).toBe('Amount cannot be less than delivery charge (৳1,500).')
  expect(translate('bn')('refusal.not-available', { name: 'আম' })).toBe('আম এখন পাওয়া যাচ্ছে না।')
})

test('both languages have the same keys, and no text is empty', () => {
  expect(Object.keys(bn).sort()).toEqual(Object.keys(en).sort())
  for (const text of [...Object.values(en), ...Object.values(bn)]) expect(text).not.toBe('')
})

test('no key is used by two areas', async () => {
  const areas = await Promise.all(
    readdirSync(join(import.meta.dirname, 'en'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => import(`./en/${file}`) as Promise<Record<string, object>>),
  )
  const keys = areas.flatMap((area) => Object.values(area).flatMap((texts) => Object.keys(texts)))
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

test('every text is shown: a source names its key, or the beginning of it', () => {
  const root = join(import.meta.dirname, '..')
  const sources = globSync('{page,components,features,site,server,db,dev,lib}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const keys = Object.keys(en)
  const used = usedKeys(keys, sources)
  // The heads of lists have keys that begin with the key of a category.
  const ends = Array.from(sources.matchAll(/\$\{key\}(\.[\w.-]+)`/g), ([, end]) => end!)
  const heads = ends.flatMap((end) => CATEGORY_KEYS.map((key) => `${key}${end}`))
  expect(keys.filter((key) => !used.has(key) && !heads.includes(key))).toEqual([])
})

test('an unknown key shows itself', () => {
  expect(translate('en')('no.such.key' as 'partial.invalid')).toBe('no.such.key')
})

test('the cart has one Bengali name; a basket is a basket of fruit', () => {
  expect(Object.entries(bn).filter(([key, text]) => key !== 'home.hero-alt' && String(text).includes('ঝুড়ি'))).toEqual([])
})

test('a Bengali label of cash cannot be read as Nagad', () => {
  const named = Object.entries(bn).flatMap(([key, text]) => (text === 'নগদ' ? [[key, en[key as keyof typeof en]]] : []))
  expect(named.filter(([, text]) => text !== 'Nagad')).toEqual([])
})
