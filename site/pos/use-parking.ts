import { useEffect, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { setPriceOf, type PosLine, TOAST_TIME } from '#features/pos/rules.ts'
import { dhakaTime, formatTime } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { isEntered, listParked, park, PARKED_EVENT, type ParkedSale, takeParked } from './parked.ts'
import { refreshLines } from './refresh-lines.ts'
import { newSale, type Sale } from './sale.ts'
import type { SaleStore } from './sale-store.ts'

/** Parks the current sale and recalls parked ones. Recalling parks a current sale first, so nothing entered is lost. */
export function useParking(store: SaleStore) {
  const { t, lang } = useI18n()
  const cashierId = usePageContext().user?.id ?? 0
  const [parked, setParked] = useState<ParkedSale[]>([])
  useEffect(() => {
    const refresh = () => setParked(listParked(cashierId))
    refresh()
    addEventListener('storage', refresh)
    addEventListener(PARKED_EVENT, refresh)
    return () => {
      removeEventListener('storage', refresh)
      removeEventListener(PARKED_EVENT, refresh)
    }
  }, [cashierId])

  function replaceSale(to: Sale) {
    store.set(to)
    setParked(listParked(cashierId))
  }
  function parkSale(name: string): boolean {
    const sale = store.get()
    const label = name.trim() || sale.name.trim() || t('pos.park.unnamed', { time: formatTime(dhakaTime(new Date()), lang) })
    if (!park(cashierId, label, sale, Date.now())) {
      showToast(t('pos.park.impossible'), { kind: 'error', milliseconds: TOAST_TIME })
      return false
    }
    replaceSale(newSale())
    showToast(t('pos.park.done', { name: label }), { milliseconds: TOAST_TIME })
    return true
  }
  async function recall(id: string): Promise<void> {
    if (isEntered(store.get()) && !parkSale('')) return
    const taken = takeParked(cashierId, id)
    if (!taken) {
      setParked(listParked(cashierId))
      return showToast(t('pos.park.gone'), { kind: 'error', milliseconds: TOAST_TIME })
    }
    replaceSale(taken.sale)
    const { lines, changed } = await refreshLines(taken.sale.lines)
    if (changed.length === 0) return
    const prices = new Map(lines.map((line) => [line.id, line.listPrice ?? line.price]))
    const fresh = (line: PosLine) => setPriceOf(line, prices.get(line.id) ?? line.price)
    store.set((now) => (now.key === taken.sale.key ? { ...now, lines: now.lines.map(fresh) } : now))
    showToast(t('pos.park.prices-changed', { names: changed.join(', ') }), { milliseconds: TOAST_TIME * 2 })
  }
  return { parked, park: parkSale, recall }
}
