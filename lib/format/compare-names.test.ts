import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

// The order in a process of this locale, as a browser of that language has it. Sorted for English কাজু comes first, for Bengali কাঁঠাল.
function orderIn(locale: string): string[] {
  const script = `
    const { compareNames } = await import('#lib/format/compare-names.ts')
    const names = ['কাঁঠাল', 'কাজু', 'Gate 10', 'Gate 2', 'কলা']
    console.log(JSON.stringify([Intl.DateTimeFormat().resolvedOptions().locale, ...names.sort(compareNames)]))`
  const env = { ...process.env, LC_ALL: locale }
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', env })) as string[]
}

it('sorts alike in every language: the server renders a list, and browsers hydrate it', () => {
  const sorted = ['Gate 2', 'Gate 10', 'কলা', 'কাজু', 'কাঁঠাল']
  expect(orderIn('en_US.UTF-8')).toEqual(['en-US', ...sorted])
  expect(orderIn('bn_BD.UTF-8')).toEqual(['bn-BD', ...sorted])
})
