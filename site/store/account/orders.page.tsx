import { useState } from 'react'
import { ButtonLink } from '#components/button.tsx'
import { Pagination } from '#components/pagination.tsx'
import { paginationWindow } from '#features/catalog/rules.ts'
import type { OwnOrder } from '#features/orders/history/own-orders.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { useFreshOnReturn } from '../order/use-fresh-on-return.ts'
import { AccountFrame } from './account-frame.tsx'
import { AgainDialog, useAgain } from './reorder-dialog.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { OrderCard } from './order-card.tsx'

export interface Props {
  orders: OwnOrder[]
  page: number
  lastPage: number
  total: number
  /** Whether the account's phone is verified; until then some orders are hidden. */
  isPhoneVerified: boolean
}

/** A customer's orders, newest first. */
export function Page({ orders: first, page, lastPage, total, isPhoneVerified }: Props) {
  const { t, lang } = useI18n()
  const [orders, setOrders] = useState(first)
  const [toCancel, setToCancel] = useState<OwnOrder | null>(null)
  const again = useAgain()
  useFreshOnReturn()
  const address = (number: number) => (number === 1 ? '/account' : `/account?page=${number}`)
  const replace = (changed: OwnOrder) => {
    setOrders((before) => before.map((order) => (order.id === changed.id ? changed : order)))
    setToCancel((open) => (open?.id === changed.id ? null : open))
  }
  return (
    <AccountFrame>
      {isPhoneVerified ? null : <PhoneNotVerified />}
      {orders.length === 0 ? (
        <None />
      ) : (
        <h2 className="mb-3 text-lg">{t('account.count', { total: localizeDigits(lang, String(total)) })}</h2>
      )}
      <ul className="space-y-4">
        {orders.map((order) => (
          <li key={order.id}>
            <OrderCard
              order={order}
              onCancel={() => setToCancel(order)}
              onAgain={order.can_order_again ? () => again.ask(order) : null}
              busy={again.asking === order.id}
            />
          </li>
        ))}
      </ul>
      <Pagination
        current={page}
        last={lastPage}
        pages={paginationWindow(page, lastPage)}
        href={address}
        words={{
          label: t('catalog.pages'),
          prev: t('catalog.prev'),
          next: t('catalog.next'),
          page: (number) => t('catalog.page', { page: number }),
          number: (number) => localizeDigits(lang, String(number)),
        }}
      />
      <CancelDialog order={toCancel} onClose={() => setToCancel(null)} onCancelled={replace} />
      <AgainDialog again={again} />
    </AccountFrame>
  )
}

function None() {
  const { t } = useI18n()
  return (
    <div className="stitch grid min-h-64 place-items-center rounded-card bg-milk p-6 text-center text-leaf-600/60">
      <div className="text-ink">
        <span className="inline-block">
          <img src="/logo.svg" alt="" width={56} height={56} />
        </span>
        <h2 className="mt-2 text-xl">{t('account.none')}</h2>
        <p className="mx-auto mt-1 max-w-[42ch] text-stone">{t('account.none-text')}</p>
        <ButtonLink className="mt-4" href="/">
          {t('account.shop')}
        </ButtonLink>
      </div>
    </div>
  )
}

function PhoneNotVerified() {
  const { t } = useI18n()
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded-card bg-mango-100 px-4 py-3">
      <p className="max-w-[52ch]">{t('account.not-verified')}</p>
      <ButtonLink kind="secondary" href="/account/security">
        {t('account.prove')}
      </ButtonLink>
    </div>
  )
}
