import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import type { PricePreview } from '#features/cattle/rates/admin-api.server.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { ScrollArea } from '../ui/scroll-area.tsx'

interface RatePreviewProps {
  preview: PricePreview | null
  isApplying: boolean
  onClose(): void
  onApply(preview: PricePreview): void
}

/** The prices that new rates would change, before they do. */
export function RatePreview({ preview, isApplying, onClose, onApply }: RatePreviewProps) {
  const { t, lang } = useI18n()
  const taka = (amount: number) => formatTaka(takaToPoisha(amount), lang)
  return (
    <Dialog
      open={preview !== null}
      onClose={onClose}
      title={t('rates.preview', { count: preview?.total ?? 0 })}
      closeLabel={t('admin.close')}
      wide
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('admin.cancel')}
          </Button>
          <Button busy={isApplying} onClick={() => preview && onApply(preview)}>
            {t('rates.apply')}
          </Button>
        </>
      }
    >
      {preview ? (
        <div className="grid gap-3">
          <p className="text-sm text-stone">
            {preview.booked > 0 ? t('rates.booked', { booked: preview.booked }) : null}{' '}
            {preview.without_tier > 0 ? t('rates.without-tier', { count: preview.without_tier }) : null}
          </p>
          {preview.below_discount.length > 0 ? (
            <p className="text-sm wrap-anywhere">{t('rates.below-discount', { tags: preview.below_discount.join(', ') })}</p>
          ) : null}
          {preview.changes.length > 0 ? (
            <ScrollArea label={t('rates.prices')} className="max-h-[50dvh] rounded-card border border-line">
              <table className="tabular-nums w-full text-sm">
                <thead>
                  <tr className="bg-sand">
                    <th className="px-3 py-1.5 text-start">{t('rates.animal')}</th>
                    <th className="px-3 py-1.5 text-end">{t('rates.before')}</th>
                    <th className="px-3 py-1.5 text-end">{t('rates.after')}</th>
                  </tr>
                </thead>
                <tbody>
                  {preview.changes.map((one) => (
                    <tr key={one.id} className="border-t border-line">
                      <td className="px-3 py-1.5 wrap-anywhere">
                        {one.tag_number} <span className="text-stone">{t('rates.kg', { kg: formatNumber(one.weight_kg, lang) })}</span>
                      </td>
                      <td className="px-3 py-1.5 text-end text-stone">{taka(one.before)}</td>
                      <td className="px-3 py-1.5 text-end font-semibold">{taka(one.after)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollArea>
          ) : null}
          {preview.total > preview.changes.length ? (
            <p className="text-sm text-stone">{t('rates.more', { count: preview.total - preview.changes.length })}</p>
          ) : null}
        </div>
      ) : null}
    </Dialog>
  )
}
