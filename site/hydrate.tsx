import { type ComponentType, type ReactNode, startTransition, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { AppRoot, type Shell } from './app-root.tsx'

/** Wakes the page on its mount element with the props that the server rendered it with. */
export function hydratePage<Props extends object>(Page: ComponentType<Props>): void {
  const mount = document.getElementById('app')
  if (!mount?.dataset.props) return
  const { shell, props }: { shell: Shell; props: Props } = JSON.parse(mount.dataset.props)
  // In a transition React works in slices of a few milliseconds, and a finger in between is answered.
  startTransition(() => {
    hydrateRoot(
      mount,
      <AppRoot shell={shell}>
        <Awake>
          <Page {...props} />
        </Awake>
      </AppRoot>,
    )
  })
}

declare global {
  interface Window {
    /** Set once the page reacts; see server/page/start-script.ts. */
    pageAwake?: boolean
    earlyPress?: HTMLElement | null
  }
}

/** Presses again what was pressed while the page was still asleep. */
function Awake({ children }: { children: ReactNode }) {
  useEffect(() => {
    window.pageAwake = true
    const pressed = window.earlyPress
    window.earlyPress = null
    // Not from within React's own work: what is pressed may have to be woken first.
    if (pressed?.isConnected) setTimeout(() => pressed.click())
  }, [])
  return children
}
