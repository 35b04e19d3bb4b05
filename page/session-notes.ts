// JSON values in sessionStorage. Where storage is blocked or full, memory holds them until the page closes.
const memory = new Map<string, string>()

/** The value under a name; null when there is none or it is unreadable. */
export function readSession(name: string): unknown {
  try {
    return JSON.parse(memory.get(name) ?? sessionStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}

/** Stores a value; null removes it. */
export function writeSession(name: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify(value))
    memory.delete(name)
  } catch {
    memory.set(name, JSON.stringify(value))
  }
}

/** The key for the id of a free order that was just placed. */
export const FREE_ORDER_KEY = 'freeOrder'
