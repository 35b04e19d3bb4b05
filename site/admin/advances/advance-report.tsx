import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import type { AdminAdvance, AdminOrder } from '#features/orders/history/order-details.server.ts'
import type { OtherReport } from '#features/orders/advances/waiting-advances.server.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { type Received, ReceivedAmount, type Verification } from './received-amount.tsx'
import { RejectAdvance } from './refuse-advance.tsx'
import { AlertIcon, CheckIcon } from '../ui/icons.tsx'

interface Reported {
  id: number
  amount: number
  transaction_id: string
  others: OtherReport[]
  used_by: number | null
}

/** The answer of POST /admin/advances/verify/{id}. */
interface Verified {
  order: AdminOrder
  late: boolean
  refused: number[]
}

interface VerifyButtonsProps {
  report: Reported
  orderId: number
  onVerified: (verified: Verified) => void
  /** Another person has decided about the report: the order as it is saved. */
  onConflict: (order: AdminOrder) => void
}

/** Verifies a reported advance of the stated amount or of another one. */
export function VerifyButtons(props: VerifyButtonsProps) {
  const { t, lang } = useI18n()
  const { report, orderId } = props
  const [isOther, setOther] = useState(false)
  const { verify, isBusy, dialog } = useVerification(props)
  const id = localizeDigits(lang, String(orderId))
  return (
    <>
      <Button
        size="small"
        className="whitespace-nowrap"
        busy={isBusy}
        onClick={() => void verify()}
        aria-label={t('advances.verify-of', { id, amount: money(report.amount, lang) })}
      >
        <CheckIcon size={17} />
        {t('advances.verify')}
      </Button>
      <Button
        size="small"
        kind="quiet"
        className="whitespace-nowrap"
        onClick={() => setOther(true)}
        aria-label={t('advances.other-amount-of', { id, transaction: report.transaction_id })}
      >
        {t('advances.other-amount')}
      </Button>
      {isOther ? (
        <ReceivedAmount
          reportId={report.id}
          orderId={orderId}
          stated={report.amount}
          isBusy={isBusy}
          verify={verify}
          close={() => setOther(false)}
        />
      ) : null}
      {dialog}
    </>
  )
}

/** Asks first when other reports of the same transaction id would be rejected. */
function useVerification({ report, orderId, onVerified, onConflict }: VerifyButtonsProps) {
  const { t, lang } = useI18n()
  const { sendsSms } = usePageContext()
  const [isBusy, setBusy] = useState(false)
  const { ask, dialog } = useConfirm()
  const id = localizeDigits(lang, String(orderId))
  const waiting = report.others.filter(({ state }) => state === 'waiting')
  async function verify(received?: Received): Promise<Verification> {
    const orders = waiting.map(({ order_id }) => localizeDigits(lang, String(order_id))).join(', ')
    const question = {
      title: t('advances.verify-one-title', { id }),
      text: t('advances.verify-one-text', { transaction: report.transaction_id, orders, sms: sendsSms }),
      action: t('advances.verify'),
      kind: 'primary',
    } as const
    if (waiting.length > 0 && !(await ask(question))) return { isDecided: false }
    setBusy(true)
    const written = await adminPost<Verified>(`/admin/advances/verify/${report.id}`, received ?? {})
    setBusy(false)
    if (!written.ok) {
      if (written.saved?.order) onConflict(written.saved.order)
      const [error] = received ? (written.errors.amount ?? []) : []
      if (error === undefined) showFailure(written, t)
      return { isDecided: written.saved?.order !== undefined, error }
    }
    onVerified(written.body)
    const { late } = written.body
    showToast(late ? t('advances.verified-late', { id }) : t('advances.verified', { id, sms: sendsSms }), {
      kind: late ? 'error' : 'success',
    })
    return { isDecided: true }
  }
  return { verify, isBusy, dialog }
}

/** Other orders with the same transaction id, and the order whose ledger holds it. Nothing when there are none. */
export function SameTransaction({ report, orderId }: { report: Pick<Reported, 'others' | 'used_by'>; orderId: number }) {
  const { t, lang } = useI18n()
  const link = (id: number, text: string) => (
    <a key={id} href={`/admin/orders/update/${id}`} className="block underline underline-offset-2">
      {text}
    </a>
  )
  const usedBy = report.used_by === orderId ? null : report.used_by
  if (report.others.length === 0 && usedBy === null) return null
  return (
    <span className="mt-1 flex gap-1.5 rounded-tag bg-terracotta-100 px-2 py-1 text-start text-sm text-terracotta">
      <AlertIcon size={17} className="mt-0.5 shrink-0" />
      <span className="min-w-0">
        <b className="block">{t('advances.same-transaction')}</b>
        {report.others.map(({ order_id, name, state }) =>
          link(order_id, `${localizeDigits(lang, String(order_id))} · ${name} · ${t(`advance.state.${state}`)}`),
        )}
        {usedBy === null ? null : link(usedBy, t('advances.used-by', { id: localizeDigits(lang, String(usedBy)) }))}
      </span>
    </span>
  )
}

/** A reported advance on the order's page, with its decision. */
export function AdvanceReport({
  report,
  order,
  onChange,
}: {
  report: AdminAdvance
  order: AdminOrder
  onChange: (order: AdminOrder) => void
}) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [isRejecting, setRejecting] = useState(false)
  return (
    <div className={`mt-3 rounded-card p-3 text-sm ${report.state === 'waiting' ? 'stitch bg-tag-100' : 'bg-sand'}`}>
      <p className="flex justify-between gap-3">
        <span className="min-w-0">
          {t('ledger.advance')} · {t(`method.${report.method}`)}{' '}
          <b className="tabular-nums break-all select-all">{report.transaction_id}</b>
        </span>
        <b className="tabular-nums whitespace-nowrap">{money(report.amount, lang)}</b>
      </p>
      <p className="text-stone">
        {localizeDigits(lang, report.sender)} · {formatDateTime(new Date(report.at), lang)}
      </p>
      <SameTransaction report={report} orderId={order.id} />
      {report.state === 'waiting' ? (
        can('payments.write') ? (
          <div className="mt-2 flex flex-wrap gap-2">
            <VerifyButtons report={report} orderId={order.id} onVerified={(verified) => onChange(verified.order)} onConflict={onChange} />
            <Button size="small" kind="quiet" onClick={() => setRejecting(true)}>
              {t('advances.refuse')}
            </Button>
          </div>
        ) : null
      ) : (
        <p className={report.state === 'verified' ? 'text-leaf-800' : 'text-terracotta'}>
          {t(`advance.state.${report.state}`)} {report.decided_by ? t('admin-orders.by', { name: report.decided_by }) : null}
        </p>
      )}
      {isRejecting ? (
        <RejectAdvance reportId={report.id} orderId={order.id} close={() => setRejecting(false)} onRefused={onChange} />
      ) : null}
    </div>
  )
}
