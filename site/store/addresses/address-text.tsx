import type { Address } from '#features/customers/address-rules.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

interface AddressTextProps {
  address: Address
  /** Null when this area is not served. */
  areaName: string | null
  /** Used when the address has no phone of its own. */
  accountPhone: string
}

/** A saved address as text. */
export function AddressText({ address, areaName, accountPhone }: AddressTextProps) {
  const { lang } = useI18n()
  const phones = [address.phone || accountPhone, address.alternate_phone].filter(Boolean)
  return (
    <div className="min-w-0 break-words">
      <p className="font-semibold">{address.name}</p>
      <p>{[address.address, address.landmark, areaName].filter(Boolean).join(', ')}</p>
      <p className="tabular-nums">{phones.map((phone) => localizeDigits(lang, phone)).join(', ')}</p>
      {address.note ? <p className="text-sm text-stone">{address.note}</p> : null}
    </div>
  )
}
