import { useCallback, useEffect, useRef, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { type HeldSale, heldTotal, LISTED_LINES } from '#features/pos/held-rules.ts'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { type Poisha, takaToPoisha } from '#lib/format/money.ts'
import { exchangeHeld } from './device/held-sales.ts'
import { hasNetwork, useNetwork } from './device/network.ts'
import { listHeldOnDevice, HELD_EVENT, type DeviceHeldSale } from './held-on-device.ts'

/** How often the list of the shop is read. */
const REFRESH_MS = 60_000

/** A held sale in the list. */
export interface HeldEntry {
  id: string
  name: string
  /** When it was held, in milliseconds. */
  at: number
  lineCount: number
  /** The first lines. */
  lines: { name: string; quantity: string }[]
  total: Poisha
  /** Null: on this device only. */
  shop: { cashier: string; register: string; until: string } | null
}

const ofDevice = ({ id, name, at, sale }: DeviceHeldSale): HeldEntry => {
  return { id, name, at, lineCount: sale.lines.length, lines: sale.lines.slice(0, LISTED_LINES), total: heldTotal(sale), shop: null }
}

const ofShop = ({ id, name, heldAt, lineCount, lines, total, ...shop }: HeldSale): HeldEntry => {
  return { id, name, at: Date.parse(heldAt), lineCount, lines, total: takaToPoisha(total), shop }
}

/** The held sales of this device and of the shop, oldest first, and what sends and reads them. */
export function useHeldSales(cashierId: number) {
  const isOnline = useNetwork()
  const [local, setLocal] = useState<DeviceHeldSale[]>([])
  const [ofAll, setOfAll] = useState<HeldSale[]>([])
  const running = useRef(Promise.resolve())
  const readDevice = useCallback(() => setLocal(listHeldOnDevice(cashierId)), [cashierId])

  const exchange = useCallback(async () => {
    if (!hasNetwork()) return
    const { held, problems } = await exchangeHeld(cashierId)
    for (const text of problems) showToast(text, { kind: 'error', milliseconds: TOAST_TIME * 2 })
    if (held) setOfAll(held)
  }, [cashierId])

  /** Reads the device, sends what it holds, and reads the shop's list; one at a time. */
  const refresh = useCallback(async () => {
    readDevice()
    running.current = running.current
      .then(exchange)
      .catch((error: unknown) => console.warn('POS: held sales cannot be exchanged', error))
      .finally(readDevice)
    await running.current
  }, [exchange, readDevice])

  useEffect(() => {
    const run = () => void refresh()
    run()
    const timer = setInterval(() => document.visibilityState === 'visible' && run(), REFRESH_MS)
    addEventListener('storage', readDevice)
    addEventListener(HELD_EVENT, run)
    return () => {
      clearInterval(timer)
      removeEventListener('storage', readDevice)
      removeEventListener(HELD_EVENT, run)
    }
  }, [refresh, readDevice, isOnline])

  const own = new Set(local.map(({ id }) => id))
  const held = [...local.map(ofDevice), ...ofAll.filter(({ id }) => !own.has(id)).map(ofShop)]
  /** Removes a sale from the list before the shop's next answer. */
  const remove = useCallback((id: string) => setOfAll((now) => now.filter((one) => one.id !== id)), [])
  return { held: held.sort((a, b) => a.at - b.at || a.id.localeCompare(b.id)), isOnline, refresh, remove }
}
