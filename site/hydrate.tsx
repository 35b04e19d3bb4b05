import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { hydrateRoot } from 'react-dom/client'
import { setShopDay } from '#lib/format/time.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { collectEntries, pressAll, reportEntry } from './early-input.ts'

/** Hydrates the page on its mount element with the props that the server rendered it with. */
export function hydratePage<Props extends object>(Page: ComponentType<Props>): void {
  const mount = document.getElementById('app')
  if (!mount?.dataset.props) return
  const { shell, props, today }: { shell: PageContextValue; props: Props; today: string } = JSON.parse(mount.dataset.props)
  setShopDay(today)
  // In a transition React yields every few milliseconds, so that input is handled in between.
  startTransition(() => {
    hydrateRoot(
      mount,
      <AppRoot shell={shell}>
        <HydrationEffects>
          <Page {...props} />
        </HydrationEffects>
      </AppRoot>,
    )
  })
}

declare global {
  interface Window {
    /** Set once the page reacts; until then server/page/bootstrap-script.ts holds back clicks, inputs and changes. */
    pageAwake?: boolean
    /** Buttons pressed before hydration, in order. */
    earlyPresses?: HTMLElement[]
    /** Codes scanned into the box of the POS before hydration, each with the time of its Enter (site/pos/use-early-scans.ts). */
    earlyScans?: [code: string, at: number][]
  }
}

/** Replays early input and presses once after hydration and all effects, then lets events through. */
function HydrationEffects({ children }: { children: ReactNode }) {
  const [, setHydrated] = useState(false)
  useEffect(() => {
    // Read before any other rendering: React would write its own state over what was typed.
    const entries = collectEntries()
    // A microtask runs outside React's work, and before the next event of the browser.
    queueMicrotask(() => {
      const presses = window.earlyPresses?.splice(0) ?? []
      // Drafts that effects have read are rendered first; what was typed goes over them.
      if (entries.length + presses.length > 0) flushSync(() => setHydrated(true))
      window.pageAwake = true
      dispatchEvent(new Event('khamar:awake'))
      entries.forEach(reportEntry)
      void pressAll(presses)
    })
  }, [])
  return children
}
