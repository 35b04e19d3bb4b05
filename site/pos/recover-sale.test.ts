import { describe, expect, it } from 'vitest'
import type { QueuedSale } from './device/outbox-rules.ts'
import { withFreeKey } from './recover-sale.ts'
import { newSale, type Sale } from './sale.ts'

const sale: Sale = { ...newSale('k1'), phone: '01712345678' }
const queued = (stored: Sale | null): QueuedSale => ({
  key: 'k1',
  sequence: 1,
  cashier: { id: 7, name: 'Rahim' },
  soldAt: '2026-11-20T06:00:00.000Z',
  total: 100,
  body: {},
  sale: stored,
  state: stored ? 'waiting' : 'sold',
})

describe('the key of a sale when the POS opens', () => {
  it('stays where no other tab and no stored sale has it', () => {
    expect(withFreeKey(sale, [], false)).toBe(sale)
    expect(withFreeKey(sale, [{ ...queued(sale), key: 'k2' }], false)).toBe(sale)
  })

  it('is a new one in a duplicated tab', () => {
    const { key, ...same } = withFreeKey(sale, [], true)
    expect(key).not.toBe('k1')
    expect({ ...same, key: 'k1' }).toEqual(sale)
  })

  it('stays where the sale is an unsent one that is edited on the screen, in one tab', () => {
    const edited = { ...sale, phone: '01712345679', isUnsent: true }
    expect(withFreeKey(edited, [{ ...queued(sale), state: 'rejected' }], false)).toBe(edited)
    expect(withFreeKey(edited, [{ ...queued(sale), state: 'rejected' }], true).lines).toEqual([])
    expect(withFreeKey(edited, [{ ...queued(sale), state: 'rejected' }], true).phone).toBe('')
    expect(withFreeKey(edited, [queued(null)], false).phone).toBe('')
  })

  it('is a new one where another sale is stored under it', () => {
    const own = withFreeKey(sale, [queued({ ...sale, phone: '01800000000' })], false)
    expect(own.key).not.toBe('k1')
    expect(own.phone).toBe(sale.phone)
  })

  it.each([['waiting', sale] as const, ['sold', null] as const])(
    'a sale that is stored already (%s) is not shown again',
    (_state, stored) => {
      const shown = withFreeKey(sale, [queued(stored)], false)
      expect(shown.key).not.toBe('k1')
      expect(shown.phone).toBe('')
    },
  )
})
