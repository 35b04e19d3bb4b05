import { Button } from '#components/button.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { isEntered } from './held-on-device.ts'
import type { PosSaleModel } from './use-pos-sale.ts'

/** Heading of the lines with the actions: hold, recall, and clear. */
export function SaleToolbar({ model, onClear }: { model: PosSaleModel; onClear: () => void }) {
  const { t, lang } = useI18n()
  const { sale, holding, openHold, openRecall } = model
  return (
    <div className="action-row mb-2 flex flex-wrap items-center gap-x-3 gap-y-2">
      <h2 className="grow text-lg max-sm:w-full lg:sr-only">{t('pos.selected')}</h2>
      <Button kind="secondary" disabled={!isEntered(sale)} onClick={openHold}>
        {t('pos.held.do')} <kbd className="kbd max-lg:hidden">F7</kbd>
      </Button>
      <Button kind="secondary" onClick={openRecall}>
        {t('pos.held.list')}
        {holding.held.length > 0 ? (
          <span className="chip chip-tag tabular-nums" data-held>
            {localizeDigits(lang, String(holding.held.length))}
          </span>
        ) : null}{' '}
        <kbd className="kbd max-lg:hidden">F8</kbd>
      </Button>
      <Button kind="quiet" onClick={onClear}>
        {t('pos.clear')}
      </Button>
    </div>
  )
}
