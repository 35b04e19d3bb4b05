import { useEffect, useRef, useState } from 'react'
import type { TakeReason } from '#features/stock-takes/rules.ts'
import { newRequestKey } from '#lib/http/idempotency-key.ts'
import { call, type CallResult } from '#page/api-client.ts'
import { readDraft, storeDraft } from '../ui/draft.ts'
import { useDraftId } from '../ui/use-form.ts'

const RETRY_MS = 3000
const SIGNED_OUT = 401
/** The session is locked: the count is sent again after the PIN. */
const LOCKED = 423

/** A count that waits for its turn. It keeps its key, so that a repeated request counts once. */
export interface CountTask {
  key: string
  productId: number
  does: 'scan' | 'count' | 'remove'
  quantity?: string
  reason?: TakeReason
  /** The version of the line that the count belongs to. */
  version: number | null
}

/** Why counts wait: `signed-out` until their user logs in again. */
export type CountWaiting = { count: number; problem: 'offline' | 'signed-out' | null }

interface QueueOptions<Body> {
  /** The version of a product's line on the screen, after the own counts before. */
  versionOf: (productId: number) => number | null
  bodyOf: (task: CountTask) => object
  onAnswer: (task: CountTask, answer: { ok: boolean; body: Body }) => void
  onEmpty: () => void
}

/** Why an answer decides nothing about a count; null when it does. Another user's session counts like none. */
function problemOf<Body>({ noResponse, status = 0, body }: CallResult<Body>): CountWaiting['problem'] {
  if (status === SIGNED_OUT || (body as { reason?: string } | null | undefined)?.reason === 'other-user') return 'signed-out'
  return noResponse || status >= 500 || status === LOCKED ? 'offline' : null
}

const readTasks = (draftId: string) => (readDraft(draftId)?.values.tasks ?? []) as CountTask[]
const storeTasks = (draftId: string, tasks: CountTask[]) =>
  storeDraft(draftId, tasks.length > 0 ? { values: { tasks }, version: null } : null)

/** The waiting counts and their draft. `typed`: the quantities among them, by product. */
function useTasks(draftId: string) {
  const tasks = useRef<CountTask[]>([])
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({})
  function put(next: CountTask[]) {
    storeTasks(draftId, (tasks.current = next))
    const counts = next.filter(({ does }) => does === 'count')
    setTyped(Object.fromEntries(counts.map(({ productId, quantity = '' }) => [productId, quantity])))
  }
  return { tasks, typed, put }
}

/**
 * Sends counts one after the other, in order. One that decides nothing stays at the head and is sent again. Waiting counts are a draft of their
 * user, so that they survive a login in this window. `url` is the address of the sheet.
 */
export function useCountQueue<Body>(url: string, { versionOf, bodyOf, onAnswer, onEmpty }: QueueOptions<Body>) {
  const draftId = useDraftId(url)
  const [waiting, setWaiting] = useState<CountWaiting>({ count: 0, problem: null })
  const { tasks, typed, put } = useTasks(draftId)
  const restored = useRef(new Set<number>())
  const isSending = useRef(false)
  const isLeft = useRef(false)

  /** The screen of a new page may show a count of another person that the user did not see when the own one was typed. */
  function withVersion(task: CountTask): CountTask {
    return restored.current.has(task.productId) ? task : { ...task, version: versionOf(task.productId) }
  }

  async function send() {
    if (isSending.current) return
    isSending.current = true
    while (tasks.current[0] && !isLeft.current) {
      const task = withVersion(tasks.current[0])
      put([task, ...tasks.current.slice(1)])
      const headers = { 'idempotency-key': task.key }
      const answer = await call<Body>(`${url}/${task.does}`, { method: 'POST', body: bodyOf(task), headers })
      const problem = problemOf(answer)
      if (problem === null) put(tasks.current.slice(1))
      setWaiting({ count: tasks.current.length, problem })
      if (problem !== null) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      else {
        restored.current.delete(task.productId)
        onAnswer(task, { ok: answer.ok, body: answer.body as Body })
      }
    }
    isSending.current = false
    if (!isLeft.current) onEmpty()
  }

  const start = (next: CountTask[]) => {
    put(next)
    setWaiting((now) => ({ ...now, count: next.length }))
    void send()
  }

  useEffect(() => {
    const found = readTasks(draftId)
    restored.current = new Set(found.map(({ productId }) => productId))
    if (found.length > 0) start(found)
    return () => void (isLeft.current = true)
    // Only when the page opens: the later tasks are its own.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [draftId])

  return {
    waiting,
    typed,
    add(task: Omit<CountTask, 'key' | 'version'>) {
      start([...tasks.current, { ...task, key: newRequestKey(), version: versionOf(task.productId) }])
    },
    holds: (productId: number) => tasks.current.some((task) => task.productId === productId),
  }
}
