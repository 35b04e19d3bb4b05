/** Unsaved values of a form, stored in `sessionStorage` until they are saved. */
export interface Draft {
  values: Record<string, unknown>
  /** The version of the row that the form was opened with. */
  version: number | null
}

const nameOf = (form: string) => `draft:${form}`

export function readDraft(form: string): Draft | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(nameOf(form)) ?? 'null')
    return typeof stored === 'object' && stored !== null && 'values' in stored ? (stored as Draft) : null
  } catch {
    return null
  }
}

/** Storing fails silently when storage is full or forbidden. */
export function storeDraft(form: string, draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(nameOf(form))
    else sessionStorage.setItem(nameOf(form), JSON.stringify(draft))
  } catch {
    // The form works without a draft.
  }
}
