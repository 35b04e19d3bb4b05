import type { OrderJson } from '../types.ts'

/** An order whose advance was not sent, as far as the form of the report reads it. */
export const UNPAID_ADVANCE = {
  status: 'placed',
  payment_type: 'partial',
  payment_gateway: 'NONE',
  payable: 10_000,
  paid: 0,
  due: 120_000,
  advance_missing: 0,
  expires_at: null,
  advances: [],
  lines: [{ tag_number: 'K-101' }],
} as unknown as OrderJson
