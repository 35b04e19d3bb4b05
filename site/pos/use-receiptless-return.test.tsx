// @vitest-environment happy-dom
import { act } from '@testing-library/react'
import { expect, it } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { cleanUpAfterEach, renderInPage } from '../admin/ui/testing.tsx'
import { type ReceiptlessModel, useReceiptlessReturn } from './use-receiptless-return.ts'

cleanUpAfterEach()

const product = (id: number, name: string) =>
  ({ id, name, unit: 'kg', price: poisha(14_500), image: null, isAnimal: false, group: 'produce', shipping: poisha(0) }) as const

it('a scan into another field takes back its keys, and no product that was found meanwhile', () => {
  let model!: ReceiptlessModel
  const Probe = () => {
    model = useReceiptlessReturn(true)
    return null
  }
  renderInPage(<Probe />)
  act(() => model.add(product(1, 'Mango')))
  act(() => model.change(1, { typedPrice: '140' }))
  act(() => model.setPayment({ method: 'bkash', transactionId: '8N7A6BX1P9' }))
  let undo = () => {}
  act(() => void (undo = model.remember()))
  act(() => {
    model.setPayment({ method: 'bkash', transactionId: '8N7A6BX1P9890123' })
    model.change(1, { typedPrice: '140890' })
  })
  act(() => model.add(product(2, 'Ghee'), 2000))
  act(() => model.add(product(1, 'Mango')))
  act(() => undo())
  expect(model.payment).toEqual({ method: 'bkash', transactionId: '8N7A6BX1P9' })
  expect(model.lines.map(({ name, quantity, typedPrice }) => [name, quantity, typedPrice])).toEqual([
    ['Mango', '2', '140'],
    ['Ghee', '2', '145.00'],
  ])
})
