import { useEffect, useRef, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { QUICKEST_MS } from '#features/kurbani/rules.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { readSession, writeSession } from '#page/session-notes.ts'

export const BOOKING_FIELDS = ['name', 'phone', 'price', 'district', 'thana', 'weight', 'email'] as const
export type BookingField = (typeof BOOKING_FIELDS)[number]
export type Booking = Record<BookingField, string>
type Errors = Partial<Record<BookingField, string>>

export const NO_BOOKING: Booking = { name: '', phone: '', price: '', district: '', thana: '', weight: '', email: '' }
const REQUIRED = ['name', 'phone', 'price'] as const
const DRAFT = 'kurbaniBooking'

interface Answer {
  message?: string
  errors?: Record<string, string[]>
}

type SendState = { state: 'idle' | 'submitting' | 'success' } | { state: 'failure'; text: string }

/** The form to pre-book a cow: typed values (stored in this tab until sent), errors, and the state of sending. */
export function useBooking() {
  const { t } = useI18n()
  const [booking, setBooking] = useState(NO_BOOKING)
  const [errors, setErrors] = useState<Errors>({})
  const [sendState, setSendState] = useState<SendState>({ state: 'idle' })
  const opened = useRef(0)
  const latest = useRef(booking)
  latest.current = booking
  useEffect(() => {
    opened.current = performance.now()
    setBooking(readDraft())
  }, [])

  const change = (part: Partial<Booking>) => {
    const next = { ...booking, ...part }
    setBooking(next)
    setErrors((before) => ({ ...before, ...Object.fromEntries(Object.keys(part).map((field) => [field, undefined])) }))
    setSendState((before) => (before.state === 'submitting' ? before : { state: 'idle' }))
    writeSession(DRAFT, next)
  }
  const fail = (text: string) => {
    setSendState({ state: 'failure', text })
    showToast(text, { kind: 'error' })
  }
  const point = (wrong: Errors) => {
    setErrors(wrong)
    setSendState({ state: 'idle' })
    showToast(t('prebook.check'), { kind: 'error' })
    const first = BOOKING_FIELDS.find((field) => wrong[field])
    if (first) document.getElementById(first)?.focus()
  }

  const submit = async (trap: string) => {
    if (sendState.state === 'submitting') return
    const missing = REQUIRED.filter((field) => booking[field].trim() === '')
    if (missing.length > 0) return point(Object.fromEntries(missing.map((field) => [field, t(`prebook.${field}-required`)])))
    setErrors({})
    setSendState({ state: 'submitting' })
    // Browsers can fill in a form faster than the server's spam check expects of people.
    const early = QUICKEST_MS - (performance.now() - opened.current)
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early + 50))
    const open_ms = Math.round(performance.now() - opened.current)
    const answer = await call<Answer | null>('/api/kurbani-bookings', { method: 'POST', body: { ...booking, website: trap, open_ms } })
    if (answer.noResponse) return fail(t('prebook.no-answer'))
    const wrong = fieldErrors(answer.body?.errors)
    if (!answer.ok) return Object.keys(wrong).length > 0 ? point(wrong) : fail(answer.body?.message || t('prebook.failed'))
    // What was typed meanwhile is not sent.
    if (latest.current === booking) {
      setBooking(NO_BOOKING)
      writeSession(DRAFT, null)
    }
    opened.current = performance.now()
    setSendState({ state: 'success' })
    showToast(t('prebook.done'))
  }
  return { booking, errors, sendState, change, submit }
}

function fieldErrors(errors: Record<string, string[]> | undefined): Errors {
  return Object.fromEntries(BOOKING_FIELDS.flatMap((field) => (errors?.[field]?.[0] ? [[field, errors[field][0]]] : [])))
}

function readDraft(): Booking {
  const stored = readSession(DRAFT)
  const found = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  const entries = BOOKING_FIELDS.map((field) => [field, typeof found[field] === 'string' ? found[field].slice(0, 2000) : ''])
  return Object.fromEntries(entries) as Booking
}
