import { useEffect, useRef, useState } from 'react'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'

const WAIT_MS = 200
const MIN_LETTERS = 2

const EMPTY_LIST = { searching: 'admin-orders.searching', done: 'admin-orders.nothing-found', failed: 'admin.find.failed' } as const

/**
 * Searches the server while a text is typed: `found` are the rows for the last text, `noneText` stands in an empty list. Input is debounced, and
 * answers to earlier texts are dropped. `url` ends where the text is added; `rowsOf` reads the rows of an answer.
 */
export function useDebouncedSearch<Body, Row>(url: string, rowsOf: (body: Body) => Row[]) {
  const { t } = useI18n()
  const [found, setFound] = useState<Row[]>([])
  const [state, setState] = useState<keyof typeof EMPTY_LIST>('done')
  const cancel = useRef(() => {})
  useEffect(() => () => cancel.current(), [])

  function search(typed: string) {
    cancel.current()
    const text = typed.trim()
    if (text.length < MIN_LETTERS) return setFound([])
    setState('searching')
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const answer = await call<Body>(url + encodeURIComponent(text), { signal: stop.signal })
      if (stop.signal.aborted) return
      setFound(answer.ok ? rowsOf(answer.body) : [])
      setState(answer.ok ? 'done' : 'failed')
    }, WAIT_MS)
    cancel.current = () => {
      clearTimeout(timer)
      stop.abort()
    }
  }
  return { search, found, noneText: t(EMPTY_LIST[state]) }
}
