import { useEffect, useState } from 'react'
import { registerMessages } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { laterSteps } from './later-steps.ts'
import { useI18n } from '#page/page-context.tsx'

export type LaterSteps = typeof laterSteps

const RELOAD_AFTER_MS = 3000
const LATE_AFTER_MS = 15_000

/**
 * The components, texts and calls of steps 2 and 3, and dialogs; null until loaded: at the first touch or key, or when the address names a step.
 * With them whether they failed to load or are late.
 */
export function useLaterSteps(isRequested: boolean): [steps: LaterSteps | null, isLate: boolean] {
  const { lang } = useI18n()
  const [steps, setSteps] = useState<LaterSteps | null>(null)
  const [isTouched, setIsTouched] = useState(false)
  const [isLate, setIsLate] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)

  useEffect(() => {
    const touch = () => setIsTouched(true)
    const once = { once: true, passive: true }
    addEventListener('pointerdown', touch, once)
    addEventListener('keydown', touch, once)
    return () => {
      removeEventListener('pointerdown', touch)
      removeEventListener('keydown', touch)
    }
  }, [])

  const isLoading = isRequested || isTouched
  useEffect(() => {
    if (!isLoading) return
    // On a slow network they may still come: only what failed is loaded again without being asked.
    setTimeout(setIsLate, LATE_AFTER_MS, true)
    loadSteps(lang).then(setSteps, () => setHasFailed(true))
  }, [isLoading, lang])

  // Browsers may cache a failed module import. A reload tries again, once by itself; step, cart and details survive it.
  useEffect(() => {
    if (!isRequested || !hasFailed) return
    const reload = () => {
      if (navigator.onLine) location.reload()
    }
    // Zero: opened by a link. The newer interface costs more script.
    const timer = performance.navigation.type ? 0 : setTimeout(reload, RELOAD_AFTER_MS)
    addEventListener('online', reload)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', reload)
    }
  }, [isRequested, hasFailed])

  return [steps, isLate || hasFailed]
}

async function loadSteps(lang: Lang): Promise<LaterSteps> {
  const texts =
    lang === 'bn'
      ? [import('#messages/bn/checkout.ts'), import('#messages/bn/address.ts')]
      : [import('#messages/en/checkout.ts'), import('#messages/en/address.ts')]
  const [{ laterSteps: steps }, ...areas] = await Promise.all([import('./later-steps.ts'), ...texts])
  for (const area of areas) registerMessages(lang, Object.assign({}, ...Object.values(area)))
  return steps
}
