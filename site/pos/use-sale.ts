import { useEffect, useState } from 'react'
import { storeSale, storedSale, type Sale } from './sale.ts'

const BLANK: Sale = {
  key: '',
  lines: [],
  phone: '',
  name: '',
  email: '',
  cash: null,
  bkash: '',
  bank: '',
  bkashId: '',
  bankId: '',
  discount: '',
  approval: null,
  deliver: false,
  areaId: '',
  address: '',
}

/** The sale of this tab: what was entered before a reload comes back. */
export function useSale(cashierId: number) {
  const [sale, setSale] = useState(BLANK)
  useEffect(() => {
    setSale(storedSale(cashierId))
    document.getElementById('till-search')?.focus()
  }, [cashierId])
  useEffect(() => {
    if (sale.key !== '') storeSale(sale)
  }, [sale])
  return [sale, setSale] as const
}
