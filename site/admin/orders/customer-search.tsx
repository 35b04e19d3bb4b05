import { useEffect, useRef, useState } from 'react'
import { Combobox } from '#components/combobox.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { SEARCH_WORDS } from './product-picker.tsx'

const WAIT_MS = 200
const MIN_LETTERS = 2

interface Found {
  id: number
  name: string
  phone: string
}

const textOf = ({ name, phone }: Found) => `${name} (${phone})`

/** Finds a customer by name or phone. A complete phone number of nobody is chosen as typed. */
export function CustomerSearch({ onChoose }: { onChoose: (phone: string) => void }) {
  const { t, lang } = useI18n()
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<Found[]>([])
  const [state, setState] = useState<keyof typeof SEARCH_WORDS>('done')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function change(text: string) {
    setTyped(text)
    clearTimeout(timer.current)
    running.current?.abort()
    const chosen = found.find((one) => textOf(one) === text)
    const phone = chosen?.phone ?? normalizePhone(text)
    if (phone !== null) onChoose(phone)
    if (chosen || text.trim().length < MIN_LETTERS) return setFound([])
    setState('searching')
    timer.current = setTimeout(async () => {
      const stop = (running.current = new AbortController())
      const answer = await call<{ customers: Found[] }>(`/api/admin/orders/customers?q=${encodeURIComponent(text.trim())}`, {
        signal: stop.signal,
      })
      if (stop.signal.aborted) return
      setFound(answer.ok ? answer.body.customers : [])
      setState(answer.ok ? 'done' : 'failed')
    }, WAIT_MS)
  }
  return (
    <Combobox
      id="find-customer"
      label={t('admin-orders.find-customer')}
      placeholder={t('admin-orders.find-customer-hint')}
      listLabel={t('admin-orders.customers-found')}
      noneText={t(SEARCH_WORDS[state])}
      value={typed}
      autoComplete="off"
      onChange={change}
      match={() =>
        found.map((one) => ({
          value: textOf(one),
          label: (
            <span className="flex grow items-baseline justify-between gap-3">
              <span className="min-w-0 wrap-anywhere">{shownName(one.name, lang)}</span>
              <span className="tabular-nums text-stone">{localizeDigits(lang, one.phone)}</span>
            </span>
          ),
        }))
      }
    />
  )
}
