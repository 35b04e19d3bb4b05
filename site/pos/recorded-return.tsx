import { useEffect, useRef, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { Button, ButtonLink } from '#components/button.tsx'
import { CheckIcon } from '#components/icons.tsx'
import type { ReturnReceipt } from '#features/pos/return-receipts.server.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { PrintableReturn } from '../admin/print/return-receipt.page.tsx'
import { posCall } from './device/network.ts'
import { useReceiptPrinter } from './hardware/use-printer.ts'

const TIMEOUT_MS = 5000

interface RecordAnswer {
  return_id?: number
  redirect: string
  recorded_at?: string | null
}

/** Loads the receipt of a recorded return and prints it from this page. Without an answer the print view opens instead. */
export function useReturnReceipt() {
  const printer = useReceiptPrinter()
  /** `at`: when an earlier request recorded it; null for a return that was recorded now. */
  const [recorded, setRecorded] = useState<{ receipt: ReturnReceipt; at: string | null; isCopy: boolean } | null>(null)
  async function record({ return_id: id, redirect, recorded_at: at = null }: RecordAnswer): Promise<void> {
    const answer = await posCall<ReturnReceipt>(`/api/admin/quick-orders/return-receipts/${id}`, { timeoutMs: TIMEOUT_MS })
    if (!answer.ok) return location.assign(`${redirect}?print=1&first=1`)
    flushSync(() => setRecorded({ receipt: answer.body, at, isCopy: false }))
    await document.fonts.ready
    await printer.print({ isCashSale: answer.body.money.some(({ method }) => method === 'cash') })
  }
  function printAgain(): void {
    flushSync(() => setRecorded((now) => now && { ...now, isCopy: true }))
    void printer.print()
  }
  return {
    receipt: recorded?.receipt ?? null,
    isCopy: recorded?.isCopy ?? false,
    recordedAt: recorded?.at ?? null,
    record,
    endReceipt: () => setRecorded(null),
    printAgain,
  }
}

interface RecordedReturnProps {
  receipt: ReturnReceipt
  isCopy: boolean
  onPrint: () => void
  /** When an earlier request recorded it: the same return may have come once more. */
  recordedAt?: string | null
  /** Enters it as another return. */
  onAgain?: () => void
}

/** A return that was recorded: what is paid back, and the way back to the POS. Its receipt is off the screen, for printing. */
export function RecordedReturn({ receipt, isCopy, onPrint, recordedAt = null, onAgain }: RecordedReturnProps) {
  const { t, lang } = useI18n()
  const card = useRef<HTMLElement>(null)
  useEffect(() => card.current?.querySelector<HTMLElement>('a')?.focus(), [])
  return (
    <section ref={card} role="status" data-recorded-return={receipt.id} className="rounded-card border-2 border-leaf-600 bg-milk p-4">
      <h2 className="flex items-center gap-2 text-lg">
        <span className="text-leaf-600">
          <CheckIcon />
        </span>
        {recordedAt === null ? t('pos.return.done') : t('pos.saved-before', { at: formatDateTime(new Date(recordedAt), lang) })}
      </h2>
      <dl className="tabular-nums mt-3 flex flex-wrap items-end gap-x-8 gap-y-3">
        {receipt.money.map(({ method, amount }) => (
          <div key={method}>
            <dt className="text-sm text-stone">
              {t('pos.return.refund')} · {t(`pos.${method}`)}
            </dt>
            <dd className="text-4xl leading-tight font-semibold text-indigo">{formatTaka(takaToPoisha(amount), lang)}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 flex flex-wrap gap-3">
        <ButtonLink href="/admin/quick-orders">{t('pos.back')}</ButtonLink>
        <Button kind="secondary" onClick={onPrint}>
          {t('pos.last.print-again')}
        </Button>
        {recordedAt === null ? null : (
          <Button kind="secondary" onClick={onAgain}>
            {t('pos.return.again')}
          </Button>
        )}
      </div>
      {createPortal(
        <div data-print-in-place aria-hidden="true">
          <PrintableReturn receipt={receipt} isCopy={isCopy} />
        </div>,
        document.body,
      )}
    </section>
  )
}
