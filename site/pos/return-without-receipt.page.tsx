import { useEffect, useRef } from 'react'
import { ButtonLink } from '#components/button.tsx'
import type { ExtraMethod } from '#features/pos/rules.ts'
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import { useI18n } from '#page/page-context.tsx'
import { AdminLayout } from '../admin/ui/layout.tsx'
import { RecordedReturn } from './recorded-return.tsx'
import { ReceiptlessForm } from './receiptless-form.tsx'
import { ScanBox } from './scan-box.tsx'
import { useRejection } from './use-add-scanned.ts'
import type { ScanFunction } from './use-scan-box.ts'
import { useReceiptlessReturn } from './use-receiptless-return.ts'
import { useScanner } from './use-scanner.ts'
import { usePosKeys } from './use-shortcuts.ts'

export interface Props {
  /** Whether cash is rounded to whole taka. */
  roundsCash: boolean
  scales: ScaleLabelRule[]
  /** The extra payment methods that are switched on. */
  methods: ExtraMethod[]
  /** Whether the cashier's shift is open. */
  isOpen: boolean
}

/** A return whose sale is not found: products, price and customer are entered, and a supervisor approves. */
export function Page({ isOpen, ...shop }: Props) {
  const { t } = useI18n()
  return (
    <AdminLayout title={t('pos.receiptless')} back={{ href: '/admin/quick-orders/return', label: t('pos.return.title') }}>
      <div className="max-w-3xl">
        <p className="mb-4 text-stone">{t('pos.receiptless.hint')}</p>
        {isOpen ? (
          <Return {...shop} />
        ) : (
          <p role="alert" className="rounded-card border border-terracotta bg-milk p-4 font-semibold text-terracotta">
            {t('pos.no-shift')}{' '}
            <ButtonLink href="/admin/quick-orders" kind="secondary" className="ms-2">
              {t('pos.open-shift')}
            </ButtonLink>
          </p>
        )}
      </div>
    </AdminLayout>
  )
}

/** The page holds one return. */
const oneReturn = () => 'return'

/** Products that cannot be sold now come back as well. */
const canComeBack = () => true

function Return({ roundsCash, scales, methods }: Omit<Props, 'isOpen'>) {
  const { t } = useI18n()
  const box = useRef<HTMLInputElement>(null)
  const scanRef = useRef<ScanFunction>(() => {})
  const model = useReceiptlessReturn(roundsCash)
  const rejection = useRejection(model.busy ? t('pos.placing') : null)
  const undo = useRef(() => {})
  useEffect(() => box.current?.focus(), [])
  usePosKeys({ F2: 'pos-search' }, {})
  useScanner({
    box,
    onBegin: () => void (undo.current = model.remember()),
    onScan: (text, at) => {
      undo.current()
      box.current?.focus()
      scanRef.current(text, at)
    },
  })
  if (model.receipt) {
    const { receipt, isCopy, recordedAt, printAgain, again } = model
    return <RecordedReturn receipt={receipt} isCopy={isCopy} recordedAt={recordedAt} onPrint={printAgain} onAgain={again} />
  }
  return (
    <>
      <ScanBox
        box={box}
        scanRef={scanRef}
        scales={scales}
        rejection={rejection}
        canBeAdded={canComeBack}
        onAdd={model.add}
        problemOf={model.problemOf}
        saleKey={oneReturn}
      />
      <ReceiptlessForm model={model} methods={methods} />
    </>
  )
}
