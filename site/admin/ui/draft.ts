/** What was typed into a form and is not saved yet, kept for this window until it is. */
export interface Draft {
  values: Record<string, unknown>
  /** The version of the row that the form was opened with. */
  version: number | null
}

const nameOf = (form: string) => `draft:${form}`

export function readDraft(form: string): Draft | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(nameOf(form)) ?? 'null')
    return typeof kept === 'object' && kept !== null && 'values' in kept ? (kept as Draft) : null
  } catch {
    return null
  }
}

/** A full or forbidden storage is no reason to stop typing. */
export function storeDraft(form: string, draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(nameOf(form))
    else sessionStorage.setItem(nameOf(form), JSON.stringify(draft))
  } catch {
    // Typing goes on without it.
  }
}
