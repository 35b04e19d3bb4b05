/** The version of a row, or the hash of its values. */
export type RowVersion = number | string

type Fields = Record<string, unknown>

/** Unsaved values of a form, stored in `sessionStorage` until they are saved. */
export interface Draft {
  /** The changed fields. The others come from the row, which another person may have saved since. */
  values: Fields
  /** The version of the row that the form was opened with. */
  version: RowVersion | null
}

/** The fields of a form that differ from the saved row, also inside of a group such as `shop.phone`. */
export function changedFields(saved: object, values: object): Fields {
  const before = saved as Fields
  return Object.fromEntries(
    Object.entries(values)
      .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]))
      .map(([key, value]) => [key, isGroup(value) && isGroup(before[key]) ? changedFields(before[key], value) : value]),
  )
}

/** The saved row with the fields of a draft over it. */
export function withDraft(saved: object, draft: Fields): Fields {
  const before = saved as Fields
  const changed = Object.entries(draft).map(([key, value]) => [
    key,
    isGroup(value) && isGroup(before[key]) ? withDraft(before[key], value) : value,
  ])
  return { ...before, ...Object.fromEntries(changed) }
}

/** Whether a value has fields of its own. A list is one value, and so is a picture: parts of two pictures make none. */
function isGroup(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('image_id' in value)
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
