/** Unsaved values of a form, stored in `sessionStorage` until they are saved. */
export interface Draft {
  /** The changed fields. The others come from the row, which another person may have saved since. */
  values: Record<string, unknown>
  /** The version of the row that the form was opened with. */
  version: number | null
}

/** The fields of a form that differ from the saved row. */
export function changedFields(saved: object, values: object): Record<string, unknown> {
  const before = saved as Record<string, unknown>
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key])))
}

/** The id of a user's draft: another user who logs in in this window has drafts of the own. */
export const draftIdOf = (userId: number | undefined, form: string) => `${userId ?? 0}:${form}`

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
