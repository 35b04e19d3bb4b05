import { useState } from 'react'
import { Combobox } from '#components/combobox.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { useI18n } from '#page/page-context.tsx'
import { useDebouncedSearch } from '../ui/use-debounced-search.ts'

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
  const { search, found, noneText } = useDebouncedSearch('/api/admin/orders/customers?q=', (body: { customers: Found[] }) => body.customers)

  function change(text: string) {
    setTyped(text)
    const chosen = found.find((one) => textOf(one) === text)
    const phone = chosen?.phone ?? normalizePhone(text)
    if (phone !== null) onChoose(phone)
    search(chosen ? '' : text)
  }
  return (
    <Combobox
      id="find-customer"
      label={t('admin-orders.find-customer')}
      placeholder={t('admin-orders.find-customer-hint')}
      listLabel={t('admin-orders.customers-found')}
      noneText={noneText}
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
