import type { ComponentProps, KeyboardEvent } from 'react'

/**
 * A select whose choice acts at once, such as by opening a question. Arrow keys and letters open its list: in a closed select they would choose
 * the next option, and with it act, so that no other option could be reached by keyboard. Browsers that cannot open the list from a script,
 * as Safari, keep their own keys: on a Mac arrow keys open it.
 */
export function ActingSelect(props: ComponentProps<'select'>) {
  return <select onKeyDown={openList} {...props} />
}

function openList(event: KeyboardEvent<HTMLSelectElement>): void {
  const { key, altKey, ctrlKey, metaKey } = event
  if (altKey || ctrlKey || metaKey || key === ' ' || !(/^(Arrow|Page|Home$|End$)/.test(key) || key.length === 1)) return
  // Older browsers lack it.
  if (!event.currentTarget.showPicker) return
  event.preventDefault()
  event.currentTarget.showPicker()
}
