import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { AlertIcon, TruckIcon } from '#components/icons.tsx'
import { laterPart } from '#components/later-part.tsx'
import type { Address } from '#features/customers/address-rules.ts'
import { useI18n } from '#page/page-context.tsx'
import type { PanelView } from '../addresses/address-panel.tsx'
import { AddressText } from '../addresses/address-text.tsx'
import type { Checkout } from './use-checkout.ts'

const AddressPanel = laterPart(() => import('../addresses/address-panel.tsx').then((part) => part.AddressPanel))

/** The chosen delivery address, with links to choose another. */
export function SavedAddress({ checkout, address }: { checkout: Checkout; address: Address }) {
  const { t } = useI18n()
  const { shop, book, areas, areaProblem, isCollection } = checkout
  const [view, setView] = useState<PanelView | null>(null)
  // A collected order has no area, and the one of the address does not matter.
  const area = areas.find(({ id }) => id === address.area_id) ?? null
  const problem = area === null ? 'address.no-area' : areaProblem
  const wrong = isCollection || problem === null ? null : t(problem)
  if (shop.account === null) return null
  return (
    <section aria-labelledby="saved-address" className="rounded-card border border-line bg-milk p-4 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 id="saved-address" className="flex items-center gap-2 text-lg">
          <TruckIcon size={22} className="text-leaf-600" />
          {t('address.saved')}
        </h2>
        <span className="-me-2 flex">
          <Button kind="quiet" className="underline" onClick={() => setView('add')}>
            {t('address.add')}
          </Button>
          <Button kind="quiet" className="underline" aria-label={t('address.edit-of', address)} onClick={() => setView(address)}>
            {t('address.edit')}
          </Button>
        </span>
      </div>
      <div className="mt-2">
        <AddressText address={address} areaName={area?.area_name ?? null} accountPhone={shop.account.phone} />
      </div>
      <div role="alert" id="area_id" tabIndex={-1} className="outline-none">
        {wrong === null ? null : (
          <p className="mt-3 flex items-start gap-2 font-semibold text-terracotta">
            <AlertIcon size={20} className="mt-0.5 shrink-0" />
            {wrong}
          </p>
        )}
      </div>
      <Button kind="secondary" className="mt-4" onClick={() => setView('list')}>
        {t('address.change')}
      </Button>
      {view === null ? null : (
        <AddressPanel book={book} areas={checkout.areas} account={shop.account} view={view} onClose={() => setView(null)} />
      )}
    </section>
  )
}
