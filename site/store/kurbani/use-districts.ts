import { useCallback, useRef, useState } from 'react'
import type { District } from '#features/kurbani/districts-rules.ts'
import { call } from '#page/api-client.ts'

/** The districts, fetched when `load` is first called; empty until they come. A list that did not come is asked for again. */
export function useDistricts(): { districts: District[]; load: () => void } {
  const [districts, setDistricts] = useState<District[]>([])
  const asked = useRef(false)
  const load = useCallback(async () => {
    if (asked.current) return
    asked.current = true
    const answer = await call<District[]>('/api/districts')
    if (answer.ok) setDistricts(answer.body)
    else asked.current = false
  }, [])
  return { districts, load: () => void load() }
}
