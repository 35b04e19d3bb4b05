import { useEffect, useRef, useState } from 'react'
import { syncCatalog } from './catalog.ts'
import { runSender, type Sender } from './sender.ts'
import { requestPersistentStorage } from './storage-state.ts'

interface Device {
  /** The session has ended. */
  mustSignIn: boolean
  sendNow: () => void
  /** To be called after a sale was stored without an answer. */
  sendSoon: () => void
}

/** Keeps the device's catalog current and sends waiting sales while the POS is open. */
export function useDevice(cashierId: number): Device {
  const [mustSignIn, setMustSignIn] = useState(false)
  const sender = useRef<Sender | null>(null)
  useEffect(() => {
    const stop = syncCatalog(cashierId)
    const running = (sender.current = runSender(cashierId, setMustSignIn))
    void requestPersistentStorage()
    return () => {
      stop()
      running.stop()
    }
  }, [cashierId])
  return { mustSignIn, sendNow: () => sender.current?.now(), sendSoon: () => sender.current?.soon() }
}
