import { useEffect, useState } from 'react'
import { syncCatalog } from './catalog.ts'
import { runSender } from './sender.ts'

/** Keeps the goods on this device fresh and sends what waits, while the till is open. Answers whether the cashier has to sign in again. */
export function useDevice(cashierId: number): { mustSignIn: boolean; sendNow: () => void } {
  const [mustSignIn, setMustSignIn] = useState(false)
  const [sendNow, setSendNow] = useState<() => void>(() => () => {})
  useEffect(() => {
    const stop = syncCatalog()
    const sender = runSender(cashierId, setMustSignIn)
    setSendNow(() => sender.now)
    return () => {
      stop()
      sender.stop()
    }
  }, [cashierId])
  return { mustSignIn, sendNow }
}
