import { useEffect, useState } from 'react'
import { readSession, writeSession } from '#page/session-notes.ts'
import { type AdvanceAccounts, offeredMethods } from '../advances/account-rules.ts'
import type { AdvanceMethod } from '../types.ts'

/** The report of an advance as typed. */
interface AdvanceDraft {
  method: AdvanceMethod | null
  transaction: string
  amount: string
  sender: string
}

const KEY = 'advanceDraft'

/** The report of an order's advance, stored in this tab until it is sent: phones end a page while the app of the wallet is open. */
export function useAdvanceDraft(orderId: number, payTo: AdvanceAccounts, initial: AdvanceDraft) {
  const [draft, setDraft] = useState(initial)
  useEffect(() => setDraft((before) => ({ ...before, ...storedDraft(orderId, payTo) })), [orderId, payTo])
  const change = (part: Partial<AdvanceDraft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    writeSession(KEY, { orderId, ...next })
  }
  return { draft, change, discard: () => writeSession(KEY, null) }
}

function storedDraft(orderId: number, payTo: AdvanceAccounts): Partial<AdvanceDraft> {
  const stored = readSession(KEY) as Record<string, unknown> | null
  if (stored?.orderId !== orderId) return {}
  const { method, transaction, amount, sender } = stored
  return {
    ...(offeredMethods(payTo).includes(method as AdvanceMethod) ? { method: method as AdvanceMethod } : {}),
    transaction: String(transaction),
    amount: String(amount),
    sender: String(sender),
  }
}
