// Small notes of one tab. Where storage is blocked or full they live as long as the page.
const held = new Map<string, string>()

/** What was noted under a name; null when nothing readable was. */
export function readSession(name: string): unknown {
  try {
    return JSON.parse(held.get(name) ?? sessionStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}

/** Notes a value; null forgets it. */
export function writeSession(name: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify(value))
    held.delete(name)
  } catch {
    held.set(name, JSON.stringify(value))
  }
}

/** The note with the id of a free order that was just placed. */
export const FREE_ORDER_KEY = 'freeOrder'
