import { useState } from 'react'
import { ADDRESS_FIELDS, type AddressForm } from '#features/customers/address-rules.ts'
import { readSession, writeSession } from '#page/session-notes.ts'

const KEY = 'addressDraft'

/** An address form whose input survives Escape, Back and a reload; one at a time, and only for the customer and address it was typed for. */
export function useAddressDraft(draftKey: string, initial: AddressForm) {
  const [form, setForm] = useState(() => storedForm(draftKey, initial))
  const change = (part: Partial<AddressForm>) => {
    const next = { ...form, ...part }
    setForm(next)
    writeSession(KEY, { as: draftKey, form: next })
  }
  return { form, change, discard: () => writeSession(KEY, null) }
}

function storedForm(draftKey: string, initial: AddressForm): AddressForm {
  const stored = readSession(KEY) as { as?: unknown; form?: Record<string, unknown> } | null
  if (stored?.as !== draftKey || typeof stored.form !== 'object') return initial
  const typed = stored.form
  const same = ADDRESS_FIELDS.filter((field) =>
    field === 'area_id' ? Number.isSafeInteger(typed[field]) : typeof typed[field] === 'string',
  )
  return { ...initial, ...Object.fromEntries(same.map((field) => [field, typed[field]])) }
}
