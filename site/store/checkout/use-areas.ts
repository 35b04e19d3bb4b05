import { useCallback, useState } from 'react'
import type { AreaJson } from '#features/catalog/types.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'

/** The areas from the page props, until they are loaded again. */
export function useAreas(known: AreaJson[]) {
  const { lang } = useI18n()
  const [areas, setAreas] = useState(known)
  const readAreas = useCallback(async () => {
    const answer = await call<AreaJson[] | null>(`/api/areas?active=true&lang=${lang}`)
    if (answer.ok && Array.isArray(answer.body)) setAreas(answer.body)
  }, [lang])
  return { areas, readAreas }
}
