import { useEffect } from 'react'

/** Gives the focus back to the button that had it when it was disabled for a request, where nothing else has taken it. */
export function useBusyFocus(): void {
  useEffect(() => {
    let pressed: Node | null = null
    // Called before the browser takes the focus from what is disabled.
    const observer = new MutationObserver((changes) => {
      for (const { target } of changes) {
        if (!(target instanceof HTMLElement)) continue
        if (target.hasAttribute('aria-busy')) pressed = target === document.activeElement ? target : pressed
        else if (target === pressed && document.activeElement === document.body) target.focus()
      }
    })
    observer.observe(document.body, { subtree: true, attributeFilter: ['aria-busy'] })
    return () => observer.disconnect()
  }, [])
}
