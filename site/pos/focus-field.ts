/** Brings a field into sight and gives it the focus; nothing where the page has none of this id. */
export function focusField(id: string): void {
  const field = document.getElementById(id)
  field?.scrollIntoView({ block: 'center' })
  field?.focus()
}
