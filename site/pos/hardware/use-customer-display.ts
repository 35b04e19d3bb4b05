import { useEffect } from 'react'
import { tenderedOf } from '#features/pos/rules.ts'
import { ZERO } from '#lib/format/money.ts'
import type { Sale, SaleState } from '../sale.ts'
import { showOnDisplay } from './display-channel.ts'
import { toDisplayedSale } from './display-rules.ts'

/** Feeds the customer displays with the sale of this page. */
export function useCustomerDisplay(sale: Sale, state: SaleState): void {
  useEffect(() => {
    const received = state.tender ? tenderedOf(state.tender) : ZERO
    // The blank sale of the first render has no key.
    if (sale.key !== '')
      showOnDisplay(
        toDisplayedSale(sale.lines, {
          discount: state.sums.discount,
          shipping: state.sums.shipping,
          total: state.toPay,
          coupon: state.coupon?.code ?? null,
          refund: state.paidBack,
          credit: state.credit,
          storeCredit: state.storeCredit,
          onAccount: state.onAccount,
          received,
          change: state.change,
        }),
      )
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the state is computed from the sale
  }, [sale])
}
