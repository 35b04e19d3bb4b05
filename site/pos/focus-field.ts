/** Brings a field into sight and gives it the focus; nothing where the page has none of this id. */
export function focusField(id: string): void {
  const field = document.getElementById(id)
  field?.scrollIntoView({ block: 'center' })
  field?.focus()
}

/** As a `ref`: scrolls an element that appears into view. Its `scroll-margin` leaves room for the fixed bars of a phone. */
export const showAppeared = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
