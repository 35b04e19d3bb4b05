import { useState } from 'react'
import type { Address } from '#features/customers/address-rules.ts'
import { useI18n } from '#page/page-context.tsx'
import { AddressList, AddressPanel, type PanelView } from '../addresses/address-panel.tsx'
import { useAddressBook } from '../addresses/use-address-book.ts'
import { AccountFrame } from './account-frame.tsx'

export interface Props {
  account: { id: number; name: string; phone: string }
  addresses: Address[]
  areas: { id: number; area_name: string }[]
}

/** A customer's address book. */
export function Page({ account, addresses, areas }: Props) {
  const { t } = useI18n()
  const book = useAddressBook(account, addresses)
  const [view, setView] = useState<PanelView | null>(null)
  return (
    <AccountFrame>
      <h2 className="mb-3 text-lg">{t('address.book')}</h2>
      <AddressList book={book} areas={areas} accountPhone={account.phone} onView={setView} onChosen={() => {}} />
      {view === null || view === 'list' ? null : (
        <AddressPanel book={book} areas={areas} account={account} view={view} onClose={() => setView(null)} />
      )}
    </AccountFrame>
  )
}
