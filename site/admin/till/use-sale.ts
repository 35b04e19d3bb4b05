import { useEffect, useState } from 'react'
import { keepSale, keptSale, type Sale } from './sale.ts'

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
  deliver: false,
  areaId: '',
  address: '',
}

/** The sale of this tab: what was entered before a reload comes back. */
export function useSale() {
  const [sale, setSale] = useState(BLANK)
  useEffect(() => {
    setSale(keptSale())
    document.getElementById('till-search')?.focus()
  }, [])
  useEffect(() => {
    if (sale.key !== '') keepSale(sale)
  }, [sale])
  return [sale, setSale] as const
}
