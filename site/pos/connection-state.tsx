import { useSyncExternalStore } from 'react'
import { AlertIcon, CheckIcon } from '#components/icons.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { catalogProblem, onCatalogChange } from './device/catalog.ts'
import { useNetwork } from './device/network.ts'
import { useOutbox } from './device/outbox.ts'
import { leftByOthers } from './device/outbox-rules.ts'
import { useStorageProblem } from './device/storage-state.ts'

/** The connection state of the POS: online or offline, problems of the device's catalog, and the number of unsent sales. */
export function PosState({ mustSignIn, onShowUnsent }: { mustSignIn: boolean; onShowUnsent: () => void }) {
  const { t, lang } = useI18n()
  const { user } = usePageContext()
  const isOnline = useNetwork()
  const [storageProblem, productsProblem] = [useStorageProblem(), useCatalogProblem()]
  const canStore = storageProblem !== 'full' && productsProblem !== 'not-stored'
  const sales = useOutbox()
  const unsent = sales.filter(({ state, cashier }) => state !== 'sold' && cashier.id === user?.id)
  const rejected = unsent.filter(({ state }) => state === 'rejected').length
  const others = leftByOthers(sales, user?.id ?? 0)
  const number = (count: number) => localizeDigits(lang, String(count))
  return (
    // Below the products on wide screens: a message moves nothing that is in use.
    <div className="flex flex-wrap items-center gap-2 max-lg:order-first max-lg:mb-3 lg:mt-2 lg:min-h-11">
      <p role="status" aria-live="polite" className="flex flex-wrap items-center gap-2" data-pos-state={isOnline ? 'online' : 'offline'}>
        <span className={`chip ${isOnline ? 'chip-leaf' : 'chip-mango'}`}>
          {isOnline ? <CheckIcon size={16} /> : <AlertIcon size={16} />}
          {isOnline ? t('pos.state.online') : t('pos.state.offline')}
        </span>
        {isOnline || !canStore ? null : <span className="text-sm text-stone">{t('pos.state.offline-text')}</span>}
        <span className="sr-only">{unsent.length > 0 ? t('pos.state.unsent', { count: number(unsent.length) }) : ''}</span>
      </p>
      <CatalogState />
      <StorageState />
      {unsent.length + others.length > 0 || sales.length > 0 ? (
        <button
          type="button"
          onClick={onShowUnsent}
          data-unsent={unsent.length}
          className={`inline-flex min-h-11 items-center gap-2 rounded-card border px-3 font-semibold ${
            rejected > 0 ? 'border-terracotta text-terracotta' : 'border-line text-leaf-700'
          } bg-milk hover:bg-leaf-100`}
        >
          {rejected > 0 ? <AlertIcon size={18} /> : null}
          {unsent.length > 0
            ? rejected > 0
              ? t('pos.state.clashes', { count: number(unsent.length), clashes: number(rejected) })
              : t('pos.state.unsent', { count: number(unsent.length) })
            : t(others.length > 0 ? 'pos.unsent.title' : 'pos.unsent.all-sent')}
        </button>
      ) : null}
      {others.map(({ name, count }) => (
        <span key={name} className="chip chip-stone">
          {t('pos.unsent.others', { name, count: number(count) })}
        </span>
      ))}
      {mustSignIn ? (
        <a href="/login?next=/admin/quick-orders" className="inline-flex min-h-11 items-center font-semibold text-terracotta underline">
          {t('pos.state.sign-in')}
        </a>
      ) : null}
    </div>
  )
}

const useCatalogProblem = () => useSyncExternalStore(onCatalogChange, catalogProblem, () => null)

/** Warns when the products on this device are outdated or cannot be stored. */
function CatalogState() {
  const { t } = useI18n()
  const problem = useCatalogProblem()
  return (
    <p role="status" aria-live="polite" className={problem ? 'chip chip-mango' : 'sr-only'}>
      {problem ? <AlertIcon size={16} /> : null}
      {problem ? t(`pos.state.catalog-${problem}`) : ''}
    </p>
  )
}

/** Says that the device is full, and quietly that the browser may delete what is stored. */
function StorageState() {
  const { t } = useI18n()
  const problem = useStorageProblem()
  const look = problem === 'full' ? 'chip chip-mango' : problem ? 'text-sm text-stone lg:order-last' : 'sr-only'
  return (
    <p role="status" aria-live="polite" className={look} data-storage-problem={problem ?? undefined}>
      {problem === 'full' ? <AlertIcon size={16} /> : null}
      {problem ? t(`pos.state.${problem}`) : ''}
    </p>
  )
}
