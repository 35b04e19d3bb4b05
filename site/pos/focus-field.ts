import { useEffect } from 'react'

/** Brings the first wrong field of a refused form into sight and gives it the focus, after each refusal. */
export function useFocusError(errors: Readonly<Record<string, string[]>>): void {
  useEffect(() => {
    const id = document.querySelector('[aria-invalid=true]')?.id
    if (id && Object.keys(errors).length > 0) focusField(id)
  }, [errors])
}

/** Brings a field into sight and gives it the focus; nothing where the page has none of this id. */
export function focusField(id: string): void {
  const field = document.getElementById(id)
  field?.scrollIntoView({ block: 'center' })
  field?.focus()
}

/** As a `ref`: scrolls an element that appears into view. Its `scroll-margin` leaves room for the fixed bars of a phone. */
export const showAppeared = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
