import { expect, it } from 'vitest'
import { can } from '#features/auth/permissions.ts'
import { reportScope } from './report-scope-rules.ts'

it.each([
  ['owner', true, { cashierId: null, isBlind: false }],
  ['manager', true, { cashierId: null, isBlind: false }],
  ['viewer', true, { cashierId: null, isBlind: false }],
  ['cashier', true, { cashierId: 7, isBlind: true }],
  ['cashier', false, { cashierId: 7, isBlind: false }],
] as const)('%s, blind count %s', (role, blind_count, scope) => {
  expect(reportScope({ id: 7, can: (permission) => can(role, permission) }, { blind_count })).toEqual(scope)
})
