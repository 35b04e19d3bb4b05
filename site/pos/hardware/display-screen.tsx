import { useEffect, useState } from 'react'
import { Button } from '#components/button.tsx'
import { useI18n } from '#page/page-context.tsx'

/** Fills the screen; gone while it does. Escape ends it. */
export function FullScreenButton() {
  const { t } = useI18n()
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const update = () => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', update)
    return () => document.removeEventListener('fullscreenchange', update)
  }, [])
  if (isFull) return null
  return (
    <Button
      kind="quiet"
      size="small"
      className="max-sm:hidden"
      onClick={() => void document.documentElement.requestFullscreen?.().catch(() => {})}
    >
      {t('pos.display.full-screen')}
    </Button>
  )
}

/** Keeps the screen from going dark, where the browser can. It lets go when the window is hidden. */
export function useScreenOn(): void {
  useEffect(() => {
    const request = () => {
      if (!document.hidden) void navigator.wakeLock?.request('screen').catch(() => {})
    }
    request()
    document.addEventListener('visibilitychange', request)
    return () => document.removeEventListener('visibilitychange', request)
  }, [])
}
