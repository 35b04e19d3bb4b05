import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { CheckIcon } from '#components/icons.tsx'
import { showToast } from '#components/toast.tsx'
import { EarTag } from '#features/catalog/ui/ear-tag.tsx'
import type { WaitingAdvance } from '#features/orders/office/waiting-advances.server.ts'
import { isLive } from '#features/orders/rules.ts'
import { money } from '#features/orders/ui/paper-money.ts'
import { digitsIn } from '#lib/numbers.ts'
import { formatDateTime } from '#lib/time.ts'
import { useI18n } from '#site/app-root.tsx'
import { RefuseAdvance } from './orders/refuse-advance.tsx'
import { adminPost } from './ui/admin-post.ts'
import { type Column, DataTable } from './ui/data-table.tsx'
import { OfficeLayout } from './ui/layout.tsx'
import { useRights } from './ui/use-rights.ts'

export interface Props {
  advances: WaitingAdvance[]
  now: string
}

/** Advances that customers say they have sent, oldest first: one press says that one has come. */
export function Page({ advances }: Props) {
  const { t, lang } = useI18n()
  const { can } = useRights()
  const [waiting, setWaiting] = useState(advances)
  const [refusing, setRefusing] = useState<WaitingAdvance | null>(null)
  const done = (id: number) => setWaiting((now) => now.filter((one) => one.id !== id))
  const columns: Column<WaitingAdvance>[] = [
    { key: 'order', head: t('office-orders.order'), lead: true, cell: (row) => `${digitsIn(lang, String(row.order_id))} · ${row.name}` },
    {
      key: 'sent',
      head: t('advances.sent'),
      cell: (row) => (
        <span>
          {t(`method.${row.method}`)} <b className="figures select-all">{row.transaction_id}</b>
          <span className="block text-stone">{digitsIn(lang, row.sender)}</span>
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
          <span className={`block text-xs ${row.paid + row.amount >= row.advance ? 'text-leaf-600' : 'text-terracotta'}`}>
            {t(row.paid + row.amount >= row.advance ? 'advances.enough' : 'advances.too-little')}
          </span>
        </span>
      ),
    },
    {
      key: 'goods',
      head: t('office-orders.goods'),
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
            head: t('office.table.actions'),
            cell: (row: WaitingAdvance) => <Decide row={row} done={done} refuse={() => setRefusing(row)} />,
          },
        ]
      : []),
  ]
  return (
    <OfficeLayout title={t('office.nav.advances')}>
      <DataTable
        label={t('office.nav.advances')}
        rows={waiting}
        columns={columns}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/orders/update/${row.order_id}`}
        empty={t('advances.empty')}
      />
      {refusing ? (
        <RefuseAdvance
          claimId={refusing.id}
          orderId={refusing.order_id}
          close={() => setRefusing(null)}
          onRefused={() => done(refusing.id)}
        />
      ) : null}
    </OfficeLayout>
  )
}

/** Of many goods the first; all of them stand in the order. */
function Goods({ text }: { text: string }) {
  return (
    <span className="line-clamp-3" title={text}>
      {text}
    </span>
  )
}

function Decide({ row, done, refuse }: { row: WaitingAdvance; done: (id: number) => void; refuse: () => void }) {
  const { t, lang } = useI18n()
  const [isBusy, setBusy] = useState(false)
  const id = digitsIn(lang, String(row.order_id))
  async function verify() {
    setBusy(true)
    const written = await adminPost<{ late: boolean }>(`/admin/advances/verify/${row.id}`, {})
    setBusy(false)
    if (written.ok) {
      done(row.id)
      return showToast(t(written.body.late ? 'advances.verified-late' : 'advances.verified', { id }), {
        kind: written.body.late ? 'error' : 'success',
      })
    }
    if (written.status === 409) done(row.id)
    showToast(written.message ?? t('office.no-answer'), { kind: 'error' })
  }
  return (
    <span className="flex flex-wrap gap-2 max-md:justify-end">
      <Button size="small" busy={isBusy} onClick={verify} aria-label={t('advances.verify-of', { id, amount: money(row.amount, lang) })}>
        <CheckIcon size={17} />
        {t('advances.verify')}
      </Button>
      <Button size="small" kind="quiet" onClick={refuse}>
        {t('advances.refuse')}
      </Button>
    </span>
  )
}
