import { useEffect } from 'react'

/**
 * Moves the focus from a pressed button of a dialog to the first field that becomes wrong, so that screen readers hear its error. A field that
 * is wrong while it is typed in has the focus already.
 */
export function useDialogErrors(): void {
  useEffect(() => {
    const observer = new MutationObserver((changes) => {
      if (!changes.some(({ target }) => (target as Element).getAttribute('aria-invalid') === 'true')) return
      const dialog = document.activeElement?.closest('dialog[open] button')?.closest('dialog')
      dialog?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    })
    observer.observe(document.body, { subtree: true, attributeFilter: ['aria-invalid'] })
    return () => observer.disconnect()
  }, [])
}
