import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import { EarTag } from '#features/catalog/ui/ear-tag.tsx'
import type { HeldOrder } from '#features/orders/status/held-animals.server.ts'
import type { ReturnedAnimal } from '#features/orders/status/returned-animals.server.ts'
import { ageOf } from '#features/messaging/ui/age.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { callLink } from '#lib/format/contact-links.ts'
import { localizeDigits, formatNumber } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { ReturnedAnimals } from './returned-animals.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  orders: HeldOrder[]
  returned: ReturnedAnimal[]
  now: string
}

/** Stored with the order and read by shopper and staff, in both languages. */
const REASON = 'Hold released by the shop · দোকান থেকে বুকিং ছেড়ে দেওয়া হয়েছে'

/** Animals that orders hold while nothing is paid; one press releases those of an order. */
export function Page({ orders, returned, now }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [held, setHeld] = useState(orders)
  const remove = (id: number) => setHeld((now) => now.filter((order) => order.id !== id))
  const ageText = (since: string) => {
    const age = ageOf(Math.floor((new Date(now).getTime() - new Date(since).getTime()) / 1000))
    return age === null ? t('sms.age.now') : t(age.key, { n: formatNumber(age.n, lang) })
  }
  const columns: Column<HeldOrder>[] = [
    {
      key: 'order',
      head: t('admin-orders.order'),
      lead: true,
      cell: (row) => `${localizeDigits(lang, String(row.id))} · ${shownName(row.name, lang)}`,
    },
    {
      key: 'animals',
      head: t('held.animals'),
      cell: (row) => (
        <span className="flex flex-wrap gap-1 max-md:justify-end">
          {row.tags.map((tag) => (
            <EarTag key={tag} number={tag} />
          ))}
        </span>
      ),
    },
    { key: 'phone', head: t('admin-orders.phone'), cell: (row) => <Phone row={row} /> },
    { key: 'waits', head: t('held.waits-for'), cell: (row) => t(`held.waits-for.${row.waits_for}`) },
    {
      key: 'advance',
      head: t('held.advance'),
      cell: (row) =>
        row.advance > 0 ? (
          <span className="tabular-nums whitespace-nowrap">
            {t('held.paid-of', { paid: money(row.paid, lang), advance: money(row.advance, lang) })}
          </span>
        ) : null,
    },
    {
      key: 'since',
      head: t('held.since'),
      cell: (row) => (
        <>
          {formatDateTime(new Date(row.since), lang)}
          <span className="block text-stone">{ageText(row.since)}</span>
        </>
      ),
    },
    {
      key: 'until',
      head: t('held.until'),
      cell: (row) => (row.until === null ? t('held.until-call') : formatDateTime(new Date(row.until), lang)),
    },
    ...(can('orders.write')
      ? [{ key: 'do', head: t('admin.table.actions'), cell: (row: HeldOrder) => <Actions row={row} onReleased={remove} /> }]
      : []),
  ]
  return (
    <AdminLayout title={t('admin.nav.held')}>
      <DataTable
        label={t('admin.nav.held')}
        rows={held}
        columns={columns}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/orders/update/${row.id}`}
        empty={t('held.empty')}
      />
      <ReturnedAnimals animals={returned} />
    </AdminLayout>
  )
}

function Phone({ row }: { row: HeldOrder }) {
  const { t, lang } = useI18n()
  return (
    <span>
      <a href={callLink(row.phone)} className="tabular-nums whitespace-nowrap hover:underline">
        {localizeDigits(lang, row.phone)}
      </a>
      <span className={`block text-xs ${row.phone_verified ? 'text-leaf-600' : 'text-terracotta'}`}>
        {t(row.phone_verified ? 'held.phone-confirmed' : 'held.phone-unconfirmed')}
      </span>
    </span>
  )
}

/** What the customer may have paid and the staff have not checked yet; null for nothing. */
function unchecked({ waits_for: waitsFor }: HeldOrder): 'verification' | 'review' | null {
  return waitsFor === 'verification' || waitsFor === 'review' ? waitsFor : null
}

function Actions({ row, onReleased }: { row: HeldOrder; onReleased: (id: number) => void }) {
  const { can } = usePermissions()
  return (
    <span className="flex flex-wrap gap-2 max-md:justify-end">
      {row.until === null && unchecked(row) === null && can('sms.send') ? <Remind row={row} /> : null}
      <Release row={row} onReleased={onReleased} />
    </span>
  )
}

/** Sends the reminder of the missing advance, once a day. */
function Remind({ row }: { row: HeldOrder }) {
  const { t, lang } = useI18n()
  const [isBusy, setBusy] = useState(false)
  const id = localizeDigits(lang, String(row.id))
  async function remind() {
    setBusy(true)
    const answer = await adminPost(`/admin/orders/remind/${row.id}`, {})
    setBusy(false)
    if (answer.ok) showToast(t('held.reminded', { id }))
    else showFailure(answer, t)
  }
  return (
    <Button size="small" kind="quiet" busy={isBusy} onClick={remind} aria-label={t('held.remind-of', { id })}>
      {t('held.remind')}
    </Button>
  )
}

/** Cancels the order; asked first where money of the customer is there or on its way. */
function Release({ row, onReleased }: { row: HeldOrder; onReleased: (id: number) => void }) {
  const { t, lang } = useI18n()
  const [isBusy, setBusy] = useState(false)
  const { ask, dialog } = useConfirm()
  const id = localizeDigits(lang, String(row.id))
  async function release() {
    const [paid, waiting] = [row.paid, unchecked(row)]
    const reasons = [paid > 0 ? t('held.ask-paid', { paid: money(paid, lang) }) : '', waiting ? t(`held.ask-${waiting}`) : '']
    const text = reasons.filter(Boolean).join(' ')
    if (text !== '' && !(await ask({ title: t('held.ask', { id }), text, action: t('held.release') }))) return
    setBusy(true)
    const body = { orders: [{ id: row.id, version: row.version }], status: 'cancelled', reason: REASON }
    const answer = await adminPost<{ results: { ok: boolean; message?: string }[] }>('/admin/orders/status', body, {
      once: `release-${row.id}`,
    })
    setBusy(false)
    const result = answer.ok ? answer.body.results[0] : null
    if (!answer.ok || !result?.ok) {
      const problem = answer.ok ? result?.message : answer.message
      return showToast(problem ?? t('admin.no-answer'), { kind: 'error' })
    }
    onReleased(row.id)
    showToast(t('held.released', { id }))
  }
  return (
    <>
      <Button size="small" kind="secondary" busy={isBusy} onClick={release} aria-label={t('held.release-of', { id })}>
        {t('held.release')}
      </Button>
      {dialog}
    </>
  )
}
