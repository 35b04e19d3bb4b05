import { useCallback, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import type { AreaWithCharges } from '#features/orders/checkout/checkout-rules.ts'
import { addProducts, type PosLine } from '#features/pos/rules.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { ApproveDialog } from './approve-dialog.tsx'
import { useNetwork } from './device/network.ts'
import { takeFromOutbox } from './device/outbox.ts'
import { shortNumber, type QueuedSale } from './device/outbox-rules.ts'
import { useDevice } from './device/use-device.ts'
import { usePosWorker } from './device/use-pos-worker.ts'
import { OfflineReceipt } from './offline-receipt.tsx'
import { isEntered } from './parked.ts'
import { ParkDialog, RecallDialog } from './parking.tsx'
import { storeSale, newSale, type Sale, saleState, type PosProblem } from './sale.ts'
import { ScanBox } from './scan-box.tsx'
import { OpenShift, ShiftActions } from './shift-bar.tsx'
import { PosCustomer } from './customer.tsx'
import { PosLines } from './sale-lines.tsx'
import { PosPayment } from './payment.tsx'
import { PosState } from './connection-state.tsx'
import { PosBar, PosSummary } from './sale-summary.tsx'
import { UnsentDialog } from './unsent-sales-dialog.tsx'
import { useOfflineApproval } from './use-offline-approval.ts'
import { useFreshPrices } from './use-fresh-prices.ts'
import { useNeedsNetwork } from './use-needs-network.ts'
import { useParking } from './use-parking.ts'
import { type Cashier, type QueuedReason, useSubmitSale } from './use-submit-sale.ts'
import { useSale } from './use-sale.ts'
import { useScanner } from './use-scanner.ts'
import { usePosKeys } from './use-shortcuts.ts'
import { useConfirm } from '../admin/ui/confirm.tsx'
import { AdminLayout } from '../admin/ui/layout.tsx'
import { usePermissions } from '../admin/ui/use-permissions.ts'

export interface Props {
  areas: AreaWithCharges[]
  /** What the labels of a scale mean. */
  scales: ScaleLabelRule[]
  /** Whether the cashier's shift is open. */
  isOpen: boolean
  shiftId: number | null
}

/** The till: scan, take the money, next. */
export function Page({ areas, scales, isOpen, shiftId }: Props) {
  const { t } = useI18n()
  const { can } = usePermissions()
  const { user } = usePageContext()
  const [kept, setKept] = useState<{ waiting: QueuedSale; why: QueuedReason } | null>(null)
  const sells = can('pos.sell')
  const cashier = { id: user?.id ?? 0, name: user?.name ?? '', shiftId }
  usePosWorker()
  if (kept?.waiting.sale) return <OfflineReceipt {...kept} sale={kept.waiting.sale} onBack={() => setKept(null)} />
  return (
    <AdminLayout title={t('pos.title')} actions={isOpen ? <ShiftActions /> : null}>
      <div id="quick-order">
        {isOpen && sells ? (
          <Till areas={areas} scales={scales} cashier={cashier} onKept={(waiting, why) => setKept({ waiting, why })} />
        ) : sells ? (
          <OpenShift />
        ) : (
          <p>{t('pos.only-look')}</p>
        )}
      </div>
    </AdminLayout>
  )
}

/** Where a problem is mended. */
const FIELD_OF: Partial<Record<PosProblem, string>> = {
  phone: 'till-phone',
  payments: 'till-cash',
  discount: 'till-discount',
  empty: 'till-search',
  total: 'till-search',
}

/** Keys in a row that may be a scan into a field other than the scan box. */
interface Burst {
  before: Sale
  /** What was added to the sale since the first key. */
  added: [product: Omit<PosLine, 'quantity'>, milli?: number][]
}

/** The sale without the keys of the burst, and with what was added meanwhile. */
function withoutBurst({ before, added }: Burst): Sale {
  return { ...before, lines: added.reduce((lines, [product, milli]) => addProducts(lines, product, milli), before.lines) }
}

interface PosProps extends Pick<Props, 'areas' | 'scales'> {
  cashier: Cashier
  onKept: (sale: QueuedSale, why: QueuedReason) => void
}

function Till({ areas, scales, cashier, onKept }: PosProps) {
  const { t, lang } = useI18n()
  const [sale, setSale] = useSale(cashier.id)
  const { mustSignIn, sendNow } = useDevice(cashier.id)
  const isOnline = useNetwork()
  const [last, setLast] = useState<{ id: number } | null>(null)
  const box = useRef<HTMLInputElement>(null)
  const scan = useRef<(text: string) => void>(() => {})
  const burst = useRef<Burst>({ before: sale, added: [] })
  const confirm = useConfirm()
  const standing = saleState(sale, areas)
  const change = (changes: Partial<Sale>) => setSale((now) => ({ ...now, ...changes }))
  const needsNetwork = useNeedsNetwork()
  const alone = useOfflineApproval(sale)
  const { place, busy, errors, needed, endApproval } = useSubmitSale({
    sale,
    standing,
    cashier,
    setSale,
    aloneRefusal: alone.refusal,
    onKept: keep,
  })
  useFreshPrices(sale, setSale)
  const changeLine = useCallback(
    (id: number, changes: Partial<PosLine>) =>
      setSale((now) => ({ ...now, lines: now.lines.map((line) => (line.id === id ? { ...line, ...changes } : line)) })),
    [setSale],
  )
  const removeLine = useCallback(
    (id: number) => setSale((now) => ({ ...now, lines: now.lines.filter((line) => line.id !== id) })),
    [setSale],
  )
  const parking = useParking(sale, setSale)
  const [open, setOpen] = useState<'park' | 'recall' | 'unsent' | null>(null)
  const askToPark = () => (isEntered(sale) ? setOpen('park') : box.current?.focus())
  const back = () => {
    setOpen(null)
    box.current?.focus()
  }
  useScanner({
    box,
    onBegin: () => {
      const begun: Burst = { before: sale, added: [] }
      burst.current = begun
      // An update that React has not rendered yet is part of the sale before the burst.
      setSale((now) => (begun.before = now))
    },
    onScan: (text) => {
      setSale(withoutBurst(burst.current))
      box.current?.focus()
      scan.current(text)
    },
  })
  usePosKeys(
    { F2: 'till-search', F4: 'till-phone', F6: 'till-cash' },
    {
      F7: askToPark,
      F8: () => setOpen('recall'),
      F9: () => standing.problem === null && void place(),
      F10: () => needsNetwork() || location.assign('/admin/quick-orders/return'),
    },
  )

  /** Goods go with their slip; an animal is nobody's before the shop has answered. */
  function keep(waiting: QueuedSale, why: QueuedReason) {
    if (!waiting.sale?.lines.some(({ isAnimal }) => isAnimal)) return onKept(waiting, why)
    void confirm.ask({
      title: t('pos.animal-waits'),
      text: t('pos.animal-waits-text', { number: shortNumber(waiting.key) }),
      action: t('admin.close'),
      kind: 'primary',
    })
  }
  async function edit(again: Sale) {
    setSale(again)
    storeSale(again)
    await takeFromOutbox(again.key)
    setOpen(null)
  }
  const lead = (problem: PosProblem) => {
    const field = document.getElementById(FIELD_OF[problem] ?? 'till-customer')
    field?.scrollIntoView({ block: 'center' })
    field?.focus()
  }
  async function clear() {
    if (sale.lines.length > 0 && !(await confirm.ask({ title: t('pos.clear-title'), text: t('pos.clear-text'), action: t('pos.clear') })))
      return
    setSale(newSale())
    box.current?.focus()
  }
  const sums = { count: sale.lines.length, standing, busy, onPlace: () => void place(), onProblem: lead }
  return (
    <div className="grid gap-4 pb-28 lg:grid-cols-[minmax(0,1fr)_24rem] lg:pb-0">
      <div className="min-w-0">
        <PosState mustSignIn={mustSignIn} onShowUnsent={() => setOpen('unsent')} />
        <ScanBox
          box={box}
          scanRef={scan}
          scales={scales}
          rejection={busy ? t('pos.placing') : null}
          onAdd={(product, milli) => {
            burst.current.added.push([product, milli])
            setLast({ id: product.id })
            setSale((now) => ({ ...now, lines: addProducts(now.lines, product, milli) }))
          }}
        />
        <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-2">
          <h2 className="grow text-lg max-sm:w-full">{t('pos.selected')}</h2>
          <Button kind="secondary" disabled={!isEntered(sale)} onClick={askToPark}>
            {t('pos.park.do')} <kbd className="kbd max-lg:hidden">F7</kbd>
          </Button>
          <Button kind="secondary" onClick={() => setOpen('recall')}>
            {t('pos.park.list')}
            {parking.parked.length > 0 ? (
              <span className="chip chip-tag figures" data-parked>
                {localizeDigits(lang, String(parking.parked.length))}
              </span>
            ) : null}{' '}
            <kbd className="kbd max-lg:hidden">F8</kbd>
          </Button>
          <Button kind="quiet" onClick={() => void clear()}>
            {t('pos.clear')}
          </Button>
        </div>
        <PosLines
          lines={sale.lines}
          last={last}
          isOnline={isOnline}
          mustAsk={alone.refusal !== null}
          onChange={changeLine}
          onRemove={removeLine}
        />
      </div>
      <div className="space-y-4 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:self-start lg:overflow-y-auto lg:p-1">
        <PosSummary {...sums} />
        <PosCustomer sale={sale} areas={areas} refusal={standing.refusal} onChange={change} />
        <PosPayment
          sale={sale}
          standing={standing}
          errors={errors}
          discountRefusal={alone.isDiscountTooHigh && !isOnline ? alone.refusal : null}
          onChange={change}
        />
      </div>
      <PosBar {...sums} />
      {confirm.dialog}
      {open === 'park' ? (
        <ParkDialog
          saleKey={sale.key}
          name={sale.name}
          onClose={back}
          onPark={(name) => {
            parking.park(name)
            back()
          }}
        />
      ) : null}
      {open === 'recall' ? (
        <RecallDialog
          parked={parking.parked}
          isEntered={isEntered(sale)}
          onClose={back}
          onRecall={(id) => {
            void parking.recall(id)
            back()
          }}
        />
      ) : null}
      {needed ? (
        <ApproveDialog
          sale={sale}
          needed={needed}
          total={standing.sums.total}
          onClose={endApproval}
          onApproved={(terms) => {
            const approval = { terms, at: Date.now() }
            endApproval()
            change({ approval })
            void place(approval)
          }}
        />
      ) : null}
      <UnsentDialog
        open={open === 'unsent'}
        onClose={back}
        cashier={cashier}
        areas={areas}
        isPosFree={sale.lines.length === 0}
        onEdit={(again) => void edit(again)}
        onSend={sendNow}
      />
    </div>
  )
}
