import type { Sale } from './sale.ts'
import { useSubmitExchange } from './use-submit-exchange.ts'
import { type SubmitOptions, useSubmitSale } from './use-submit-sale.ts'

/** Submits the sale on the screen: a plain sale through the outbox, an exchange directly. */
export function useSubmission(sale: Sale, options: SubmitOptions) {
  const plain = useSubmitSale(options)
  const exchange = useSubmitExchange(options)
  return { submission: sale.exchange ? exchange : plain, exchange }
}
