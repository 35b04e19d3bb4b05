import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

// The order of the drawers in a process of this locale, as a browser of that language has it.
function orderIn(locale: string): string[] {
  const script = `
    const { drawersOf } = await import('#features/pos/drawer-rules.ts')
    const shift = (id, name) => ({ drawer: { id, name }, opening_cash: 0, counted_before: null, cash_in: 0, cash_out: 0, cash: { sales: 0, account_payments: 0, refunds: 0 },
      methods: [{ method: 'cash', expected: 0, counted: 0 }] })
    const shifts = ['দোকান ২', 'Gate 10', 'Gate 2'].map((name, id) => shift(id + 1, name))
    console.log(JSON.stringify([Intl.DateTimeFormat().resolvedOptions().locale, ...drawersOf(shifts).map(({ register }) => register.name)]))`
  const env = { ...process.env, LC_ALL: locale }
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', env })) as string[]
}

it('sorts drawers in every language alike: the server renders the page, and browsers hydrate it', () => {
  expect(orderIn('en_US.UTF-8')).toEqual(['en-US', 'Gate 2', 'Gate 10', 'দোকান ২'])
  expect(orderIn('bn_BD.UTF-8')).toEqual(['bn-BD', 'Gate 2', 'Gate 10', 'দোকান ২'])
})
