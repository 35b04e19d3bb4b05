import { useCallback, useRef, useState } from 'react'
import type { District } from '#features/kurbani/districts-rules.ts'
import { call } from '#page/api-client.ts'

/** The districts, loaded when `load` is first called; empty until then. A failed load is retried. */
export function useDistricts(): { districts: District[]; load: () => void } {
  const [districts, setDistricts] = useState<District[]>([])
  const isRequested = useRef(false)
  const load = useCallback(async () => {
    if (isRequested.current) return
    isRequested.current = true
    const answer = await call<District[]>('/api/districts')
    if (answer.ok) setDistricts(answer.body)
    else isRequested.current = false
  }, [])
  return { districts, load: () => void load() }
}
