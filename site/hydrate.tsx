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

/** Presses again what was pressed, and tells of what was typed or chosen, while the page was still asleep. */
function Awake({ children }: { children: ReactNode }) {
  useEffect(() => {
    window.pageAwake = true
    const pressed = window.earlyPress
    window.earlyPress = null
    setTimeout(tellOfEarlyEntries)
    // Not from within React's own work: what is pressed may have to be woken first.
    if (pressed?.isConnected) setTimeout(() => pressed.click())
  }, [])
  return children
}

/** React takes a field's content at its waking for known; a field that says so once more is heard. */
function tellOfEarlyEntries(): void {
  for (const field of document.querySelectorAll<HTMLSelectElement>('#app select'))
    if ([...field.options].some((option) => option.defaultSelected && !option.selected))
      field.dispatchEvent(new Event('change', { bubbles: true }))
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('#app :is(input, textarea)')) {
    if (field instanceof HTMLInputElement && (field.type === 'radio' || field.type === 'checkbox')) {
      if (field.checked && !field.defaultChecked) heardAnew(field, HTMLInputElement, 'checked', true, false, 'click')
    } else if (field.type !== 'hidden' && field.type !== 'file' && field.value !== field.defaultValue) {
      heardAnew(field, field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement, 'value', field.value, '', 'input')
    }
  }
}

/** React keeps what it last knew on the element itself: that is set to nothing, and then the true content behind its back. */
function heardAnew(
  field: HTMLElement,
  kind: typeof HTMLInputElement | typeof HTMLTextAreaElement,
  property: 'value' | 'checked',
  content: string | boolean,
  nothing: string | boolean,
  event: string,
): void {
  Object.assign(field, { [property]: nothing })
  Object.getOwnPropertyDescriptor(kind.prototype, property)?.set?.call(field, content)
  field.dispatchEvent(new Event(event, { bubbles: true }))
}
