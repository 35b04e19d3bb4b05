import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { showToast } from '#components/toast.tsx'
import { type PosLine, TOAST_TIME } from '#features/pos/rules.ts'
import { useI18n } from '#page/page-context.tsx'
import { beginExchange } from './begin-exchange.ts'
import { HELD_EVENT } from './held-on-device.ts'
import { recoverSale } from './recover-sale.ts'
import { newSale, type Sale } from './sale.ts'
import { BLANK, SaleStore } from './sale-store.ts'
import { readSessionSale } from './session-sale.ts'
import { useHeldSaleName } from './use-held-sale-name.ts'

/** The current sale of this tab; it survives a reload and the end of the browser. The actions are stable functions. */
export function useSale(cashierId: number) {
  const { t } = useI18n()
  const heldName = useHeldSaleName()
  const [store] = useState(() => new SaleStore())
  const sale = useSyncExternalStore(store.subscribe, store.get, () => BLANK)
  useEffect(() => {
    const restored = readSessionSale(cashierId)
    store.set(restored?.sale ?? newSale())
    document.getElementById('pos-search')?.focus()
    const nameOf = (begun: Sale, at: number) => heldName(begun, new Date(at))
    if (beginExchange(store, cashierId, nameOf) === 'not-held') showToast(t('pos.exchange.not-held'), { kind: 'error' })
    recoverSale({ store, cashierId, restored, nameOf })
      .then((isRecovered) => {
        if (!isRecovered) return
        dispatchEvent(new Event(HELD_EVENT))
        showToast(t('pos.recovered'), { milliseconds: TOAST_TIME })
      })
      .catch((error: unknown) => console.warn('POS: begun sales cannot be read', error))
    // oxlint-disable-next-line react/exhaustive-deps -- once for each cashier
  }, [cashierId, store])
  const actions = useMemo(() => actionsOf(store), [store])
  return { store, sale, ...actions }
}

/** While a sale is being placed its inputs do not change: the shop may have recorded it already. */
function actionsOf(store: SaleStore) {
  const edit = (update: (now: Sale) => Sale) => (store.isSending ? undefined : store.set(update))
  return {
    setSale: store.set,
    change: (changes: Partial<Sale>) => edit((now) => ({ ...now, ...changes })),
    changeLine: (id: number, changes: Partial<PosLine>) =>
      edit((now) => ({ ...now, lines: now.lines.map((line) => (line.id === id ? { ...line, ...changes } : line)) })),
    removeLine: (id: number) => edit((now) => ({ ...now, lines: now.lines.filter((line) => line.id !== id) })),
  }
}
