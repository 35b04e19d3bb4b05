import { useEffect, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { type Address, type AddressField, type AddressForm, chosenAddress } from '#features/customers/address-rules.ts'
import { call, type CallResult } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { rememberAddress, rememberedAddress } from './remembered-address.ts'

const SHORT_MS = 1500

/** An error text for a dialog; `errors` belong to fields. */
export interface AddressError {
  title: string
  text: string
  errors: Partial<Record<AddressField, string>>
  /** The session has ended. */
  isSignedOut?: boolean
}

type BookResponse = (Partial<Address> & { message?: unknown; error?: unknown; errors?: unknown }) | null

/** The address book of a customer: its addresses, the chosen one, and the calls that change it. `customer` is null for guests. */
export function useAddressBook(customer: { id: number } | null, initial: Address[]) {
  const { t } = useI18n()
  const [addresses, setAddresses] = useState(initial)
  const [remembered, setRemembered] = useState<number | null>(null)
  const [isAdding, setAdding] = useState(false)
  const customerId = customer?.id ?? null
  const isEmpty = !addresses.some((address) => address.is_default)

  useEffect(() => {
    if (customerId !== null) setRemembered(rememberedAddress(customerId))
  }, [customerId])
  // A remembered choice is removed when another address becomes the default.
  useEffect(() => {
    if (customerId !== null && isEmpty) rememberAddress(customerId, null)
  }, [customerId, isEmpty])

  async function refresh(): Promise<void> {
    const answer = await call<Address[]>('/address/all', { cache: 'no-store' })
    if (answer.ok && Array.isArray(answer.body)) setAddresses(answer.body)
    else console.error('The addresses could not be read.', answer.status)
  }

  /** Shows a saved address, or none in the place of a deleted one, which counts also when the book cannot be read again. */
  function replace(id: number | undefined, ...saved: BookResponse[]): void {
    if (id) setAddresses((before) => [...before.filter((address) => address.id !== id), ...(saved as Address[])])
  }

  function keepChoice(id: number): void {
    setRemembered(id)
    if (customerId !== null) rememberAddress(customerId, id)
  }

  /** Resolves to null when it is saved. */
  async function add(form: AddressForm): Promise<AddressError | null> {
    setAdding(true)
    return addNew(form).finally(() => setAdding(false))
  }

  async function addNew(form: AddressForm): Promise<AddressError | null> {
    if (customerId === null) return { title: t('address.error'), text: t('address.no-customer'), errors: {} }
    const answer = await call<BookResponse>(`/address/add/${customerId}`, { method: 'POST', body: formData(form) })
    if (answer.body === null) return { title: t('address.error'), text: t('address.not-json'), errors: {} }
    if (!answer.ok) return errorOf(answer, t('address.error'))
    if (typeof answer.body?.id === 'number') {
      replace(answer.body.id, answer.body)
      keepChoice(answer.body.id)
      await choose(answer.body.id, false)
    }
    showToast(t('address.added'), { milliseconds: SHORT_MS })
    return null
  }

  /** Resolves to null when it is saved. */
  async function update(id: number, form: AddressForm): Promise<AddressError | null> {
    const answer = await call<BookResponse>(`/address/update/${id}`, { method: 'POST', body: formData(form) })
    if (!answer.ok) return errorOf(answer, t('address.oops'))
    replace(answer.body?.id, answer.body)
    showToast(t('address.updated'), { milliseconds: SHORT_MS })
    await refresh()
    return null
  }

  /** The choice applies in this browser even when the server cannot be reached. */
  async function choose(id: number, aloud = true): Promise<void> {
    keepChoice(id)
    const answer = await call('/address/selectAddress', { method: 'POST', body: { address_id: id } })
    if (answer.ok && aloud) showToast(t('address.chosen'), { milliseconds: SHORT_MS })
    if (!answer.ok) console.error('The chosen address could not be saved.', answer.status)
    await refresh()
  }

  /** Resolves to whether it is deleted. */
  async function remove(id: number): Promise<boolean> {
    const answer = await call(`/address/delete/${id}`, { method: 'DELETE' })
    if (answer.ok) {
      replace(id)
      showToast(t('address.deleted'), { milliseconds: SHORT_MS })
    } else console.error('An address could not be deleted.', answer.status)
    await refresh()
    return answer.ok
  }

  function errorOf(answer: CallResult<BookResponse>, otherTitle: string): AddressError {
    const body = answer.body
    const text = [body?.message, body?.error].find((line) => typeof line === 'string' && line !== '') as string | undefined
    const errors = fieldTexts(body?.errors)
    const title = Object.keys(errors).length > 0 ? t('address.oops') : otherTitle
    return { title, text: text ?? t('address.went-wrong'), errors, isSignedOut: answer.status === 401 }
  }

  return { addresses, chosen: chosenAddress(addresses, remembered), isAdding, add, update, choose, remove }
}

export type AddressBook = ReturnType<typeof useAddressBook>

function formData(form: AddressForm): FormData {
  const data = new FormData()
  for (const [field, value] of Object.entries(form)) data.append(field, value === null ? '' : String(value))
  return data
}

function fieldTexts(errors: unknown): Partial<Record<AddressField, string>> {
  if (typeof errors !== 'object' || errors === null) return {}
  return Object.fromEntries(Object.entries(errors).map(([field, texts]) => [field, String((texts as unknown[])?.[0] ?? '')]))
}
