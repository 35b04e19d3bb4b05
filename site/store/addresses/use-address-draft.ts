import { useState } from 'react'
import { ADDRESS_FIELDS, type AddressForm } from '#features/customers/address-rules.ts'
import { readSession, writeSession } from '../checkout/session-notes.ts'

const KEY = 'addressDraft'

/** A form for an address that outlives Escape, Back and a reload; one at a time, and only for the customer and address it was typed for. */
export function useAddressDraft(draftKey: string, initial: AddressForm) {
  const [form, setForm] = useState(() => keptForm(draftKey, initial))
  const change = (part: Partial<AddressForm>) => {
    const next = { ...form, ...part }
    setForm(next)
    writeSession(KEY, { as: draftKey, form: next })
  }
  return { form, change, forget: () => writeSession(KEY, null) }
}

function keptForm(draftKey: string, initial: AddressForm): AddressForm {
  const kept = readSession(KEY) as { as?: unknown; form?: Record<string, unknown> } | null
  if (kept?.as !== draftKey || typeof kept.form !== 'object') return initial
  const typed = kept.form
  const same = ADDRESS_FIELDS.filter((field) =>
    field === 'area_id' ? Number.isSafeInteger(typed[field]) : typeof typed[field] === 'string',
  )
  return { ...initial, ...Object.fromEntries(same.map((field) => [field, typed[field]])) }
}
