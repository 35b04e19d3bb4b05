import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { registerMessages, translate } from '#lib/i18n/translate.ts'
import { poisha, taka, takaToPoisha } from '#lib/format/money.ts'
import { refusal as bn } from '#messages/bn/refusal.ts'
import { refusal as en } from '#messages/en/refusal.ts'
import { onlineBounds, partialAmountError, partialBounds, suggestPartial } from './partial-rules.ts'
import { partialProblemText } from './refusal-text.ts'

registerMessages('en', en)
registerMessages('bn', bn)

const basis = (total: number, delivery: number, advances = 0) => ({
  total: takaToPoisha(total),
  delivery: takaToPoisha(delivery),
  advances: takaToPoisha(advances),
})

describe('the suggested partial payment', () => {
  test.each([
    ['the odd taka, raised to the delivery charge', basis(79_545, 1500), 1545],
    ['the odd taka covers the delivery already', basis(1085, 60), 85],
    ['exactly the delivery charge', basis(2560, 60), 60],
    ['an even total starts from nothing', basis(80_000, 1500), 1500],
    ['a charge between hundreds', basis(80_000, 1550), 1600],
    ['capped at the total', basis(140, 120), 140],
    ['raised on to the advance', basis(111_525, 1500, 10_000), 10_025],
    ['an advance below the delivery changes nothing', basis(79_545, 1500, 1000), 1545],
    ['capped at the total by the advance', basis(9050, 60, 9040), 9050],
    ['poisha stay', basis(1050.5, 60), 150.5],
    ['nothing to cover is still something to pay', basis(1000, 0), 100],
    ['an order that costs nothing', basis(0, 0), 0],
    ['odd taka below what a gateway takes', basis(1005, 0), 105],
    ['odd taka of exactly what a gateway takes', basis(1010, 0), 10],
    ['a poisha below it', basis(1009.99, 0), 109.99],
    ['capped at the total by what a gateway takes', basis(101, 0), 101],
    ['at most what a gateway takes', basis(900_060, 0, 499_970), 500_000],
    ['an advance of all that a gateway takes', basis(900_000, 0, 500_000), 500_000],
  ])('%s', (_name, given, suggested) => {
    expect(suggestPartial(given)).toBe(takaToPoisha(suggested))
  })

  test('is always accepted, leaves whole hundreds, and a hundred taka less is rejected', () => {
    const amount = fc.oneof(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 20_000 }), fc.constant(0))
    fc.assert(
      fc.property(amount, amount, amount, (goods, delivery, advances) => {
        const given = { total: poisha(goods + delivery), delivery: poisha(delivery), advances: poisha(advances) }
        const { min, max } = onlineBounds(given)
        fc.pre(min <= max)
        const suggested = suggestPartial(given)
        expect(suggested).toBeGreaterThanOrEqual(min)
        expect(suggested).toBeLessThanOrEqual(max)
        expect(partialAmountError(suggested, given)).toBeNull()
        if (suggested < max) expect((given.total - suggested) % 10_000).toBe(0)
        const smaller = poisha(suggested - 10_000)
        if (smaller > 0 && suggested < max) expect(partialAmountError(smaller, given)).not.toBeNull()
      }),
    )
  })
})

describe('the error of a partial payment', () => {
  const order = basis(138_500, 1500, 10_000)
  test.each([
    ['not a number', null, order, 'Please enter a valid number.'],
    ['below delivery', taka(1499), order, 'Amount cannot be less than delivery charge (৳1,500).'],
    ['negative', taka(-5), order, 'Amount cannot be less than delivery charge (৳1,500).'],
    ['delivery, but not the advance', taka(1500), order, 'Amount cannot be less than the advance for these items (৳10,000).'],
    ['a poisha short', poisha(999_999), order, 'Amount cannot be less than the advance for these items (৳10,000).'],
    ['the least', taka(10_000), order, null],
    ['the total', taka(138_500), order, null],
    ['a poisha too much', poisha(13_850_001), order, 'Amount cannot be more than total amount (৳1,38,500).'],
    ['nothing, with free delivery', taka(0), basis(1000, 0), 'Please enter a valid number.'],
    ['too little online', poisha(999), basis(1005, 0), 'Online payment takes at least ৳10. Please enter a larger amount.'],
    [
      'too much online',
      poisha(50_000_001),
      basis(900_000, 0),
      'Online payment takes at most ৳5,00,000 at once. Please enter a smaller amount and pay the rest later.',
    ],
  ])('%s', (_name, amount, given, text) => {
    const problem = partialAmountError(amount, given)
    expect(problem === null ? null : partialProblemText(problem, translate('en'), 'en')).toBe(text)
  })

  test.each([
    ['less than a gateway takes', taka(5), basis(1005, 0)],
    ['more than a gateway takes', taka(600_000), basis(900_000, 1500, 600_000)],
  ])('sent outside a gateway: %s', (_name, amount, given) => {
    expect(partialAmountError(amount, given, true)).toBeNull()
    expect(partialAmountError(poisha(partialBounds(given).min - 1), given, true)).not.toBeNull()
  })

  test('in Bengali', () => {
    const problem = partialAmountError(taka(1), order)
    expect(problem && partialProblemText(problem, translate('bn'), 'bn')).toBe('ডেলিভারি চার্জের (৳১,৫০০) চেয়ে কম দেওয়া যাবে না।')
  })
})
