import { expect, test } from 'vitest'
import { LANGS } from '#lib/i18n/lang.ts'
import { MESSAGE_SETS } from '#site/message-sets.ts'
import { keysOfSet, onlyTexts, usedKeys } from './page-messages.ts'

const keysIn = (set: (typeof MESSAGE_SETS)[number]) => [...keysOfSet(set).values()].flatMap((keys) => [...keys])

test('keys stand as strings, or begin like a template string', () => {
  const keys = ['cart.title', 'cart.remove', 'order-status.placed', 'order-status.sent', 'order.status']
  expect([...usedKeys(keys, "t('cart.title'); t(`order-status.${status}`); 'cart.removed'")]).toEqual([
    'cart.title',
    'order-status.placed',
    'order-status.sent',
  ])
})

test('an area without the entries that are not wanted keeps its helpers, and texts of several lines', () => {
  const source = [
    "const n = (value: number) => formatNumber(value, 'en')",
    '',
    'export const area = {',
    "  'a.one': 'One',",
    "  'a.two':",
    "    'Two, ' +",
    "    'long',",
    "  'a.three': (p: { count: number }) =>",
    '    `${n(p.count)} three`,',
    '  ...others,',
    '}',
  ]
  const lines = (...numbers: number[]) => numbers.map((number) => source[number]).join('\n')
  expect(onlyTexts(source.join('\n'), new Set(['a.two']))).toBe(lines(0, 1, 2, 4, 5, 6, 9, 10))
  expect(onlyTexts(source.join('\n'), new Set(['a.three', 'a.one']))).toBe(lines(0, 1, 2, 3, 7, 8, 9, 10))
})

test.each(MESSAGE_SETS)('%s: every text exists in both languages', async (set) => {
  for (const lang of LANGS)
    for (const [area, keys] of keysOfSet(set)) {
      const texts = Object.assign({}, ...Object.values(await import(`../messages/${lang}/${area}.ts`)))
      expect([...keys].filter((key) => !(key in texts))).toEqual([])
    }
})

test('pages name what they show, by themselves or through their modules, and not what later parts bring along', () => {
  expect(keysIn('lists')).toEqual(
    expect.arrayContaining(['shell.home', 'catalog.add-to-cart', 'catalog.duplicate-title', 'catalog.status.hold']),
  )
  expect(keysIn('lists')).not.toContain('cart.title')
  expect(keysIn('checkout')).toEqual(expect.arrayContaining(['cart.title', 'place.order', 'refusal.not-enough-stock', 'place.needs-terms']))
  expect(keysIn('checkout')).not.toContain('terms.agree')
  expect(keysIn('kurbani')).not.toContain('prebook.title')
  expect(keysIn('order')).toEqual(expect.arrayContaining(['error.page.404.title', 'order-status.delivered', 'tracking.title']))
})
