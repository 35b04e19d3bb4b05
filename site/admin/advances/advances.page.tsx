import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { EarTag } from '#features/catalog/ui/ear-tag.tsx'
import type { WaitingAdvance } from '#features/orders/advances/waiting-advances.server.ts'
import { isLive } from '#features/orders/rules.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { SameTransaction, VerifyButtons } from './advance-report.tsx'
import { AdvanceTabs } from './advance-tabs.tsx'
import { RejectAdvance } from './refuse-advance.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { methodName } from '../payments/method-name.ts'

export interface Props {
  advances: WaitingAdvance[]
}

/** Reported advances that wait for verification, oldest first. */
export function Page({ advances }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [waiting, setWaiting] = useState(advances)
  const [rejecting, setRejecting] = useState<WaitingAdvance | null>(null)
  const done = (id: number) => setWaiting((now) => withoutReport(now, id))
  // Other reports of the same transaction id were rejected with it.
  const verified = (row: WaitingAdvance) => setWaiting((now) => now.filter((one) => !isSameTransaction(one, row)))
  const columns: Column<WaitingAdvance>[] = [
    {
      key: 'order',
      head: t('admin-orders.order'),
      lead: true,
      cell: (row) => `${localizeDigits(lang, String(row.order_id))} · ${row.name}`,
    },
    {
      key: 'sent',
      head: t('advances.sent'),
      cell: (row) => (
        <span>
          {methodName(t, row.method)} <b className="tabular-nums select-all">{row.transaction_id}</b>
          <span className="block text-stone">{localizeDigits(lang, row.sender)}</span>
          <SameTransaction report={row} orderId={row.order_id} />
        </span>
      ),
    },
    { key: 'amount', head: t('advances.amount'), align: 'end', cell: (row) => <b>{money(row.amount, lang)}</b> },
    {
      key: 'wanted',
      head: t('advances.wanted'),
      align: 'end',
      cell: (row) => (
        <span>
          {money(row.advance, lang)}
          <span className={`block text-xs ${isEnough(row) ? 'text-leaf-600' : 'text-terracotta'}`}>
            {t(isEnough(row) ? 'advances.enough' : 'advances.too-little')}
          </span>
        </span>
      ),
    },
    {
      key: 'goods',
      head: t('admin-orders.goods'),
      cell: (row) => (row.tags.length > 0 ? row.tags.map((tag) => <EarTag key={tag} number={tag} />) : <Goods text={row.goods} />),
    },
    {
      key: 'since',
      head: t('advances.waiting-since'),
      cell: (row) => (
        <span>
          {formatDateTime(new Date(row.at), lang)}
          <span className={`block text-xs ${isLive(row.status) ? 'text-stone' : 'text-terracotta'}`}>
            {isLive(row.status)
              ? row.expires_at && t('advances.ends', { when: formatDateTime(new Date(row.expires_at), lang) })
              : t('advances.ended')}
          </span>
        </span>
      ),
    },
    ...(can('payments.write')
      ? [
          {
            key: 'do',
            head: t('admin.table.actions'),
            cell: (row: WaitingAdvance) => (
              <RowButtons row={row} onVerified={() => verified(row)} onConflict={() => done(row.id)} onReject={() => setRejecting(row)} />
            ),
          },
        ]
      : []),
  ]
  return (
    <AdminLayout title={t('admin.nav.advances')}>
      <AdvanceTabs />
      <DataTable
        label={t('admin.nav.advances')}
        rows={waiting}
        columns={columns}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/orders/update/${row.order_id}`}
        empty={t('advances.empty')}
      />
      {rejecting ? (
        <RejectAdvance
          reportId={rejecting.id}
          orderId={rejecting.order_id}
          close={() => setRejecting(null)}
          onRefused={() => done(rejecting.id)}
        />
      ) : null}
    </AdminLayout>
  )
}

interface RowButtonsProps {
  row: WaitingAdvance
  onVerified: () => void
  onConflict: () => void
  onReject: () => void
}

function RowButtons({ row, onVerified, onConflict, onReject }: RowButtonsProps) {
  const { t, lang } = useI18n()
  const order = localizeDigits(lang, String(row.order_id))
  return (
    <span className="flex flex-wrap gap-2 max-md:justify-end">
      <VerifyButtons report={row} orderId={row.order_id} onVerified={onVerified} onConflict={onConflict} />
      <Button
        size="small"
        kind="quiet"
        className="whitespace-nowrap"
        aria-label={t('advances.refuse-of', { id: order, transaction: row.transaction_id })}
        onClick={onReject}
      >
        {t('advances.refuse')}
      </Button>
    </span>
  )
}

/** Whether this advance completes the required one. */
const isEnough = ({ paid, amount, advance }: WaitingAdvance) => takaToPoisha(paid) + takaToPoisha(amount) >= takaToPoisha(advance)

const isSameTransaction = (one: WaitingAdvance, other: WaitingAdvance) =>
  one.method === other.method && one.transaction_id === other.transaction_id

/** Removes a rejected report, and marks it as rejected in reports of the same transaction id. */
function withoutReport(rows: WaitingAdvance[], id: number): WaitingAdvance[] {
  const gone = rows.find((one) => one.id === id)
  if (!gone) return rows
  const refused = (row: WaitingAdvance) =>
    row.others.map((other) => (other.order_id === gone.order_id ? { ...other, state: 'refused' as const } : other))
  return rows.flatMap((row) => (row.id === id ? [] : [isSameTransaction(row, gone) ? { ...row, others: refused(row) } : row]))
}

/** The first products of the order. */
function Goods({ text }: { text: string }) {
  return (
    <span className="line-clamp-3" title={text}>
      {text}
    </span>
  )
}
