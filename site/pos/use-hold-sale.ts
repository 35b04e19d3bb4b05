import { showToast } from '#components/toast.tsx'
import { setPriceOf, type PosLine, TOAST_TIME } from '#features/pos/rules.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { currentLine } from './current-line.ts'
import { resumeHeld } from './device/held-sales.ts'
import { isEntered, listHeldOnDevice, holdOnDevice, type DeviceHeldSale, takeHeldOnDevice } from './held-on-device.ts'
import { refreshLines } from './refresh-lines.ts'
import { newSale, type Sale } from './sale.ts'
import { unpriced } from './sale-coupon.ts'
import type { SaleStore } from './sale-store.ts'
import { useHeldSaleName } from './use-held-sale-name.ts'
import { useHeldSales } from './use-held-sales.ts'
import { useIsSending } from './use-is-sending.ts'

/** Holds the current sale and resumes held ones. Resuming holds a current sale first, so nothing entered is lost. */
export function useHoldSale(store: SaleStore) {
  const { t } = useI18n()
  const heldName = useHeldSaleName()
  const cashierId = usePageContext().user?.id ?? 0
  const { held, isOnline, refresh, remove } = useHeldSales(cashierId)
  const isSending = useIsSending(store)
  const refreshPrices = useRefreshPrices(store)
  const say = (text: string) => showToast(text, { kind: 'error', milliseconds: TOAST_TIME })

  function holdSale(name: string): boolean {
    if (isSending()) return false
    const sale = store.get()
    const label = name.trim() || heldName(sale, new Date())
    if (!holdOnDevice(cashierId, label, sale)) {
      say(t('pos.held.impossible'))
      return false
    }
    store.set(newSale())
    void refresh()
    showToast(t('pos.held.done', { name: label }), { milliseconds: TOAST_TIME })
    return true
  }

  /**
   * Shows a resumed sale with its products as this device knows them, its coupon to be priced again. A sale that was begun meanwhile is held; while one is being placed, the resumed sale
   * is held again. False when neither fits on the device.
   */
  function show(name: string, sale: Sale): boolean {
    if (isEntered(store.get()) && !holdSale('')) return holdOnDevice(cashierId, name, sale)
    store.set({ ...sale, lines: sale.lines.map(currentLine), coupon: unpriced(sale.coupon ?? null) })
    void refreshPrices(sale)
    return true
  }

  async function recall(id: string): Promise<void> {
    if (isSending()) return
    if (isEntered(store.get()) && !holdSale('')) return
    const own = listHeldOnDevice(cashierId).find((one) => one.id === id)
    await (own ? recallOfDevice(own) : recallOfShop(id))
    void refresh()
  }
  async function recallOfDevice({ id, name, sale, isSent }: DeviceHeldSale): Promise<void> {
    const outcome = isSent ? await resumeHeld(cashierId, id, true) : null
    const isLeft = takeHeldOnDevice(cashierId, id) !== null
    if (outcome?.kind === 'elsewhere') return say(outcome.text ?? t('pos.held.gone'))
    if (!outcome && !isLeft) return say(t('pos.held.gone'))
    // Without an answer the sale goes on, and the shop is told later.
    if (show(name, sale)) outcome?.finish()
  }
  async function recallOfShop(id: string): Promise<void> {
    const outcome = await resumeHeld(cashierId, id, false)
    if (outcome.kind === 'no-answer') return say(t('pos.held.no-answer'))
    remove(id)
    if (outcome.kind === 'taken' && outcome.sale) {
      if (show(outcome.name, outcome.sale)) outcome.finish()
    } else say((outcome.kind === 'elsewhere' && outcome.text) || t('pos.held.expired'))
  }
  return { held, isOnline, refresh, hold: holdSale, recall, isSending }
}

/** Puts the current prices into a resumed sale, and names the products whose price has changed. */
function useRefreshPrices(store: SaleStore) {
  const { t } = useI18n()
  return async (sale: Sale): Promise<void> => {
    const { lines, changed } = await refreshLines(sale.lines)
    if (changed.length === 0) return
    const prices = new Map(lines.map((line) => [line.id, line.listPrice ?? line.price]))
    const fresh = (line: PosLine) => setPriceOf(line, prices.get(line.id) ?? line.price)
    store.set((now) => (now.key === sale.key ? { ...now, lines: now.lines.map(fresh) } : now))
    showToast(t('pos.held.prices-changed', { names: changed.join(', ') }), { milliseconds: TOAST_TIME * 2 })
  }
}
