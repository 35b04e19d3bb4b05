import { expect, test } from 'vitest'
import { isStorable } from '#lib/format/text.ts'
import { loggedFilter } from './logged-filter.ts'

const logged = (query: string) => loggedFilter(new URLSearchParams(query))

test('a filter is shown without its search, as the log can store it', () => {
  expect(logged('q=Rahim&status=placed&area_id=3')).toBe('q=…&status=placed&area_id=3')
  for (const query of ['from=%00', `from=${'a'.repeat(494)}😀`]) expect(isStorable(logged(query))).toBe(true)
})
