import { showToast } from '#components/toast.tsx'
import { setPriceOf, type PosLine, TOAST_TIME } from '#features/pos/rules.ts'
import { dhakaTime, formatTime } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { resumeHeld } from './device/held-sales.ts'
import { isEntered, listParked, park, type ParkedSale, takeParked } from './parked.ts'
import { refreshLines } from './refresh-lines.ts'
import { newSale, type Sale } from './sale.ts'
import type { SaleStore } from './sale-store.ts'
import { useHeldSales } from './use-held-sales.ts'

/** Holds the current sale and resumes held ones. Resuming holds a current sale first, so nothing entered is lost. */
export function useParking(store: SaleStore) {
  const { t, lang } = useI18n()
  const cashierId = usePageContext().user?.id ?? 0
  const { held, isOnline, refresh, remove } = useHeldSales(cashierId)
  const say = (text: string) => showToast(text, { kind: 'error', milliseconds: TOAST_TIME })

  function parkSale(name: string): boolean {
    const sale = store.get()
    const label = name.trim() || sale.name.trim() || t('pos.park.unnamed', { time: formatTime(dhakaTime(new Date()), lang) })
    if (!park(cashierId, label, sale)) {
      say(t('pos.park.impossible'))
      return false
    }
    store.set(newSale())
    void refresh()
    showToast(t('pos.park.done', { name: label }), { milliseconds: TOAST_TIME })
    return true
  }

  /** Shows a resumed sale; a sale that was begun meanwhile is held. False when neither fits on the device. */
  function show(name: string, sale: Sale): boolean {
    if (isEntered(store.get()) && !parkSale('')) return park(cashierId, name, sale)
    store.set(sale)
    void refreshPrices(sale)
    return true
  }
  async function refreshPrices(sale: Sale): Promise<void> {
    const { lines, changed } = await refreshLines(sale.lines)
    if (changed.length === 0) return
    const prices = new Map(lines.map((line) => [line.id, line.listPrice ?? line.price]))
    const fresh = (line: PosLine) => setPriceOf(line, prices.get(line.id) ?? line.price)
    store.set((now) => (now.key === sale.key ? { ...now, lines: now.lines.map(fresh) } : now))
    showToast(t('pos.park.prices-changed', { names: changed.join(', ') }), { milliseconds: TOAST_TIME * 2 })
  }

  async function recall(id: string): Promise<void> {
    if (isEntered(store.get()) && !parkSale('')) return
    const own = listParked(cashierId).find((one) => one.id === id)
    await (own ? recallOfDevice(own) : recallOfShop(id))
    void refresh()
  }
  async function recallOfDevice({ id, name, sale, isSent }: ParkedSale): Promise<void> {
    const outcome = isSent ? await resumeHeld(cashierId, id, true) : null
    const isLeft = takeParked(cashierId, id) !== null
    if (outcome?.kind === 'elsewhere') return say(outcome.text ?? t('pos.park.gone'))
    if (!outcome && !isLeft) return say(t('pos.park.gone'))
    // Without an answer the sale goes on, and the shop is told later.
    if (show(name, sale)) outcome?.finish()
  }
  async function recallOfShop(id: string): Promise<void> {
    const outcome = await resumeHeld(cashierId, id, false)
    if (outcome.kind === 'no-answer') return say(t('pos.park.no-answer'))
    remove(id)
    if (outcome.kind === 'taken' && outcome.sale) {
      if (show(outcome.name, outcome.sale)) outcome.finish()
    } else say((outcome.kind === 'elsewhere' && outcome.text) || t('pos.park.expired'))
  }
  return { held, isOnline, refresh, park: parkSale, recall }
}
