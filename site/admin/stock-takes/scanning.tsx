import { useRef } from 'react'
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { ScanBox } from '../../pos/scan-box.tsx'
import { useRejection } from '../../pos/use-add-scanned.ts'
import type { ScanFunction } from '../../pos/use-scan-box.ts'
import { useScanner } from '../../pos/use-scanner.ts'
import type { StockTakeModel } from './use-stock-take.ts'
import { SignInAgain } from '../ui/sign-in-again.tsx'

/** The page holds one sheet. */
const oneSheet = () => 'stock-take'

/** Includes products that are out of stock: they may have been found. */
const canBeCounted = () => true

const WAITING_TEXTS = { none: 'stock-take.saving', offline: 'stock-take.not-saved', 'signed-out': 'stock-take.signed-out' } as const

/** The scan box of a sheet, and how many counts wait to be saved. */
export function Scanning({ model, scales }: { model: StockTakeModel; scales: ScaleLabelRule[] }) {
  const { t, lang } = useI18n()
  const { waiting, drafts } = model
  const box = useRef<HTMLInputElement>(null)
  const scanRef = useRef<ScanFunction>(() => {})
  const before = useRef(drafts.all())
  const rejection = useRejection(null)
  // A scan that ran into a quantity is undone there.
  useScanner({
    box,
    onBegin: () => void (before.current = drafts.all()),
    onScan: (code, at) => {
      drafts.restore(before.current)
      box.current?.focus()
      scanRef.current(code, at)
    },
  })
  const count = formatNumber(waiting.count, lang)
  return (
    <div className="mb-4 max-w-3xl">
      <ScanBox
        box={box}
        scanRef={scanRef}
        scales={scales}
        rejection={rejection}
        canBeAdded={canBeCounted}
        onAdd={(product, milli) => model.scan(product.id, milli)}
        saleKey={oneSheet}
      />
      <p role="status" className={`min-h-6 text-sm ${waiting.problem === null ? 'text-stone' : 'font-semibold text-terracotta'}`}>
        {waiting.count === 0 ? '' : t(WAITING_TEXTS[waiting.problem ?? 'none'], { count })}
      </p>
      {waiting.count > 0 && waiting.problem === 'signed-out' ? <SignInAgain /> : null}
    </div>
  )
}
