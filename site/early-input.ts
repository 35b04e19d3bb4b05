// What a page received before hydration, repeated to React: content of fields, and presses on buttons.

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** A field whose content is not what the server rendered. */
export interface Entry {
  field: Field
  content: string | boolean
}

/** The fields that were filled in, ticked or chosen from before hydration, with their content. */
export function collectEntries(): Entry[] {
  return [...document.querySelectorAll<Field>('#app :is(input, textarea, select)')].flatMap((field) => {
    const content = changedContent(field)
    return content === null ? [] : [{ field, content }]
  })
}

function changedContent(field: Field): string | boolean | null {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.defaultSelected && !option.selected) ? field.value : null
  if (isTick(field)) {
    // Of a group of radio buttons the chosen one speaks for all.
    const isChanged = field.checked !== field.defaultChecked && (field.checked || field.type === 'checkbox')
    return isChanged ? field.checked : null
  }
  return field.value === field.defaultValue ? null : field.value
}

function isTick(field: Field): field is HTMLInputElement {
  return field.type === 'checkbox' || field.type === 'radio'
}

/** Tells React of a field's content, as if it were entered now. */
export function reportEntry({ field, content }: Entry): void {
  // React hydrates the part of the page that an event goes to. Nothing listens to this event.
  field.dispatchEvent(new Event('auxclick', { bubbles: true }))
  const property = isTick(field) ? 'checked' : 'value'
  // Only where React has written over it: a field that is set loses its caret and what an input method composes.
  const isFile = field.type === 'file'
  if (!isFile && (field as HTMLInputElement)[property] !== content) Object.assign(field, { [property]: content })
  // React ignores content that it knows; this is no field's content.
  ;(field as { _valueTracker?: { setValue(known: string): void } })._valueTracker?.setValue('\0')
  const event = isTick(field) ? 'click' : isFile || field instanceof HTMLSelectElement ? 'change' : 'input'
  field.dispatchEvent(new Event(event, { bubbles: true }))
}

/** Presses buttons one after the other. What marked them as pressed is taken away. */
export async function pressAll(buttons: readonly HTMLElement[]): Promise<void> {
  for (const marked of document.querySelectorAll('[data-pressed]')) marked.removeAttribute('data-pressed')
  for (const button of buttons) {
    if (button.isConnected) button.click()
    // React renders what a press has changed in a microtask, and the next press finds it.
    await Promise.resolve()
  }
}
