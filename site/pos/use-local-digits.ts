import { useState } from 'react'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

/** The text of a number field: as typed while it is being typed, else in the digits of the page's language. Fields read both scripts. */
export function useLocalDigits(value: string) {
  const { lang } = useI18n()
  const [typed, setTyped] = useState<string | null>(null)
  return { shown: typed === value ? value : localizeDigits(lang, value), type: setTyped, leave: () => setTyped(null) }
}
