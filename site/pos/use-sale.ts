import { useCallback, useEffect, useState } from 'react'
import type { PosLine } from '#features/pos/rules.ts'
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

/** The current sale of this tab; it survives a reload. `changeLine` and `removeLine` are stable functions. */
export function useSale(cashierId: number) {
  const [sale, setSale] = useState(BLANK)
  useEffect(() => {
    setSale(storedSale(cashierId))
    document.getElementById('pos-search')?.focus()
  }, [cashierId])
  useEffect(() => {
    if (sale.key !== '') storeSale(sale)
  }, [sale])
  const change = (changes: Partial<Sale>) => setSale((now) => ({ ...now, ...changes }))
  const changeLine = useCallback(
    (id: number, changes: Partial<PosLine>) =>
      setSale((now) => ({ ...now, lines: now.lines.map((line) => (line.id === id ? { ...line, ...changes } : line)) })),
    [],
  )
  const removeLine = useCallback((id: number) => setSale((now) => ({ ...now, lines: now.lines.filter((line) => line.id !== id) })), [])
  return { sale, setSale, change, changeLine, removeLine }
}
