import { expect, it } from 'vitest'
import { accountPaymentBody } from './account/account-forms.ts'
import { transactionId } from './transaction-id-field.ts'

it('an id of a wallet loses its hyphens, an id of a bank has them', () => {
  expect(transactionId('bkash').parse('8n7a-6d5f-4g')).toBe('8N7A6D5F4G')
  expect(transactionId('bank').parse('ft-2026-0001')).toBe('FT-2026-0001')
})

it('a payment on account reads its id by its method', () => {
  const parsed = (method: string, transaction_id: string) =>
    accountPaymentBody.safeParse({ amount: '100', method, received: '', transaction_id })
  expect(parsed('nagad', '71ab-cde9').data).toMatchObject({ transaction_id: '71ABCDE9' })
  expect(parsed('bank', 'ft-2026-0001').data).toMatchObject({ transaction_id: 'FT-2026-0001' })
  expect(parsed('cash', '').data).toMatchObject({ transaction_id: null })
  expect(parsed('bkash', '8-n-7-a').error?.issues).toMatchObject([{ path: ['transaction_id'], message: 'advance.bad-transaction-id' }])
})
