import { useRef, useState } from 'react'
import type { TakeReason } from '#features/stock-takes/rules.ts'
import { newRequestKey } from '#lib/http/idempotency-key.ts'
import { call, type CallResult } from '#page/api-client.ts'

const RETRY_MS = 3000
/** The session is locked: the count is sent again after the PIN. */
const LOCKED = 423

/** A count that waits for its turn. It keeps its key, so that a repeated request counts once. */
export interface CountTask {
  key: string
  productId: number
  does: 'scan' | 'count' | 'remove'
  quantity?: string
  reason?: TakeReason
}

interface QueueOptions<Body> {
  /** The address of the sheet. */
  url: string
  /** The body of a task when its turn comes. */
  bodyOf: (task: CountTask) => object
  onAnswer: (task: CountTask, answer: { ok: boolean; body: Body }) => void
  onEmpty: () => void
}

const hasAnswer = <Body>(answer: CallResult<Body>): answer is CallResult<Body> & { status: number; body: Body } =>
  !answer.noResponse && answer.status < 500 && answer.status !== LOCKED

/** Sends counts one after the other, in order. One that has no answer stays at the head and is sent again. */
export function useCountQueue<Body>({ url, bodyOf, onAnswer, onEmpty }: QueueOptions<Body>) {
  const [waiting, setWaiting] = useState({ count: 0, isOffline: false })
  const tasks = useRef<CountTask[]>([])
  const isSending = useRef(false)
  async function send() {
    if (isSending.current) return
    isSending.current = true
    for (let task = tasks.current[0]; task; task = tasks.current[0]) {
      const headers = { 'idempotency-key': task.key }
      const answer = await call<Body>(`${url}/${task.does}`, { method: 'POST', body: bodyOf(task), headers })
      const isDone = hasAnswer(answer)
      if (isDone) tasks.current = tasks.current.slice(1)
      setWaiting({ count: tasks.current.length, isOffline: !isDone })
      if (isDone) onAnswer(task, answer)
      else await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
    isSending.current = false
    onEmpty()
  }
  function add(task: Omit<CountTask, 'key'>) {
    tasks.current = [...tasks.current, { ...task, key: newRequestKey() }]
    setWaiting((now) => ({ ...now, count: tasks.current.length }))
    void send()
  }
  return { waiting, add, holds: (productId: number) => tasks.current.some((task) => task.productId === productId) }
}
