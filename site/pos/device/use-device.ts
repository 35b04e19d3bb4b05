import { useEffect, useState } from 'react'
import { syncCatalog } from './catalog.ts'
import { runSender } from './sender.ts'

/** Keeps the device's catalog current and sends waiting sales while the POS is open. `mustSignIn`: the session has ended. */
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
