import { AlertIcon, CheckIcon } from '#components/icons.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { useNetwork } from './device/network.ts'
import { useOutbox } from './device/outbox.ts'
import { leftByOthers } from './device/outbox-rules.ts'

/** How the till stands with the shop: connected or not, and how many sales have not arrived. */
export function PosState({ mustSignIn, onShowUnsent }: { mustSignIn: boolean; onShowUnsent: () => void }) {
  const { t, lang } = useI18n()
  const { user } = usePageContext()
  const isOnline = useNetwork()
  const sales = useOutbox()
  const unsent = sales.filter(({ state, cashier }) => state !== 'sold' && cashier.id === user?.id)
  const clashes = unsent.filter(({ state }) => state === 'clash').length
  const others = leftByOthers(sales, user?.id ?? 0)
  const number = (count: number) => localizeDigits(lang, String(count))
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <p role="status" aria-live="polite" className="flex flex-wrap items-center gap-2" data-till-state={isOnline ? 'online' : 'offline'}>
        <span className={`chip ${isOnline ? 'chip-leaf' : 'chip-mango'}`}>
          {isOnline ? <CheckIcon size={16} /> : <AlertIcon size={16} />}
          {isOnline ? t('pos.state.online') : t('pos.state.offline')}
        </span>
        {isOnline ? null : <span className="text-sm text-stone">{t('pos.state.offline-text')}</span>}
        <span className="sr-only">{unsent.length > 0 ? t('pos.state.unsent', { count: number(unsent.length) }) : ''}</span>
      </p>
      {unsent.length + others.length > 0 || sales.length > 0 ? (
        <button
          type="button"
          onClick={onShowUnsent}
          data-unsent={unsent.length}
          className={`inline-flex min-h-11 items-center gap-2 rounded-card border px-3 font-semibold ${
            clashes > 0 ? 'border-terracotta text-terracotta' : 'border-line text-leaf-700'
          } bg-milk hover:bg-leaf-100`}
        >
          {clashes > 0 ? <AlertIcon size={18} /> : null}
          {unsent.length > 0
            ? clashes > 0
              ? t('pos.state.clashes', { count: number(unsent.length), clashes: number(clashes) })
              : t('pos.state.unsent', { count: number(unsent.length) })
            : t('pos.unsent.title')}
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
