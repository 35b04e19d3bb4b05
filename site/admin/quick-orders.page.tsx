import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import type { AreaWithCharges } from '#features/orders/checkout-rules.ts'
import { addOne, TOAST_TIME } from '#features/pos/rules.ts'
import { call } from '#site/api-client.ts'
import { useI18n } from '#site/app-root.tsx'
import { beep } from './till/beep.ts'
import { keepSale, keptSale, newSale, type Sale, saleBodyOf, saleStanding, type TillProblem } from './till/sale.ts'
import { ScanBox } from './till/scan-box.tsx'
import { OpenShift, ShiftActions } from './till/shift-bar.tsx'
import { TillCustomer } from './till/till-customer.tsx'
import { TillLines } from './till/till-lines.tsx'
import { TillPayment } from './till/till-payment.tsx'
import { TillBar, TillSummary } from './till/till-summary.tsx'
import { useScanner } from './till/use-scanner.ts'
import { useConfirm } from './ui/confirm.tsx'
import { OfficeLayout } from './ui/layout.tsx'
import { useRights } from './ui/use-rights.ts'

export interface Props {
  areas: AreaWithCharges[]
  /** Whether the cashier's shift is open. */
  isOpen: boolean
}

/** The till: scan, take the money, next. */
export function Page({ areas, isOpen }: Props) {
  const { t } = useI18n()
  const { can } = useRights()
  const sells = can('pos.sell')
  return (
    <OfficeLayout title={t('pos.title')} actions={isOpen ? <ShiftActions /> : null}>
      <div id="quick-order">{isOpen && sells ? <Till areas={areas} /> : sells ? <OpenShift /> : <p>{t('pos.only-look')}</p>}</div>
    </OfficeLayout>
  )
}

/** Where a problem is mended. */
const FIELD_OF: Partial<Record<TillProblem, string>> = {
  phone: 'till-phone',
  payments: 'till-cash',
  discount: 'till-discount',
  empty: 'till-search',
  total: 'till-search',
}

function Till({ areas }: { areas: AreaWithCharges[] }) {
  const { t } = useI18n()
  const [sale, setSale] = useSale()
  const [lastId, setLastId] = useState<number | null>(null)
  const box = useRef<HTMLInputElement>(null)
  const scan = useRef<(text: string) => void>(() => {})
  const beforeBurst = useRef(sale)
  const confirm = useConfirm()
  const standing = saleStanding(sale, areas)
  const change = (changes: Partial<Sale>) => setSale((now) => ({ ...now, ...changes }))
  const { place, busy } = usePlace(sale, standing, setSale)
  useScanner({
    box,
    onBegin: () => void (beforeBurst.current = sale),
    onScan: (text) => {
      setSale(beforeBurst.current)
      box.current?.focus()
      scan.current(text)
    },
  })
  useTillKeys({ F2: 'till-search', F4: 'till-phone', F6: 'till-cash' }, () => standing.problem === null && void place())

  const lead = (problem: TillProblem) => {
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
        <ScanBox
          box={box}
          scanRef={scan}
          onAdd={(product) => {
            setLastId(product.id)
            setSale((now) => ({ ...now, lines: addOne(now.lines, product) }))
          }}
        />
        <div className="mb-2 flex items-center justify-between gap-3">
          <h2 className="text-lg">{t('pos.selected')}</h2>
          <Button kind="quiet" onClick={() => void clear()}>
            {t('pos.clear')}
          </Button>
        </div>
        <TillLines lines={sale.lines} lastId={lastId} onChange={(lines) => change({ lines })} />
      </div>
      <div className="space-y-4 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:self-start lg:overflow-y-auto lg:p-1">
        <TillSummary {...sums} />
        <TillCustomer sale={sale} areas={areas} refusal={standing.refusal} onChange={change} />
        <TillPayment sale={sale} standing={standing} onChange={change} />
      </div>
      <TillBar {...sums} />
      {confirm.dialog}
    </div>
  )
}

const BLANK: Sale = {
  key: '',
  lines: [],
  phone: '',
  name: '',
  email: '',
  cash: null,
  bkash: '',
  bank: '',
  discount: '',
  deliver: false,
  areaId: '',
  address: '',
}

/** The sale of this tab: what was entered before a reload comes back. */
function useSale() {
  const [sale, setSale] = useState(BLANK)
  useEffect(() => {
    setSale(keptSale())
    document.getElementById('till-search')?.focus()
  }, [])
  useEffect(() => {
    if (sale.key !== '') keepSale(sale)
  }, [sale])
  return [sale, setSale] as const
}

interface Placed {
  redirect?: string
  message?: string
  products?: { id: number; price: number }[]
}

/** Places the sale under its key, until an answer has come; then its slip is printed. */
function usePlace(sale: Sale, standing: ReturnType<typeof saleStanding>, setSale: (sale: (now: Sale) => Sale) => void) {
  const { t } = useI18n()
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const fail = (text: string) => {
    beep('refused')
    showToast(text, { kind: 'error', milliseconds: TOAST_TIME })
  }
  async function place() {
    if (running.current) return
    running.current = true
    setBusy(true)
    const answer = await call<Placed>('/admin/quick-orders/store', {
      method: 'POST',
      body: saleBodyOf(sale, standing),
      headers: { 'idempotency-key': sale.key },
    })
    if (answer.ok && answer.body?.redirect) {
      showToast(t('pos.placed'), { milliseconds: TOAST_TIME })
      keepSale(newSale())
      location.assign(`${answer.body.redirect}?print=1`)
      return
    }
    running.current = false
    setBusy(false)
    if (answer.noResponse) return fail(t('pos.offline'))
    if (answer.status >= 500 || !answer.body?.message) return fail(t('pos.failed'))
    fail(t('pos.error', { message: answer.body.message }))
    const fresh = new Map(answer.body.products?.map(({ id, price }) => [id, Math.round(price * 100)]))
    setSale((now) => ({
      ...now,
      lines: now.lines.map((line) => ({ ...line, price: (fresh.get(line.id) ?? line.price) as typeof line.price })),
    }))
  }
  return { place, busy }
}

/** Keys that work wherever the focus is. */
function useTillKeys(fields: Record<string, string>, onPlace: () => void) {
  const latest = useRef({ fields, onPlace })
  useEffect(() => void (latest.current = { fields, onPlace }))
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]') || event.ctrlKey || event.altKey || event.metaKey) return
      const field = latest.current.fields[event.key]
      if (field) document.getElementById(field)?.focus()
      else if (event.key === 'F9') latest.current.onPlace()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
