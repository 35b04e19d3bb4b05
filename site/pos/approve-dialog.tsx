import { showToast } from '#components/toast.tsx'
import type { SaleTerms } from '#features/pos/approval-rules.ts'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { formatTaka, type Poisha, takaToPoisha } from '#lib/format/money.ts'
import { formatQuantity, toMilli } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../admin/ui/admin-post.ts'
import type { Sale } from './sale.ts'
import { SupervisorDialog } from './supervisor-dialog.tsx'
import type { TypedSupervisor } from './supervisor.ts'

/** The terms of a sale in the server's rejection; money in taka. */
export interface Needed {
  discount: number
  lines: { id: number; quantity: number; price: number; price_is_set: boolean; held: boolean }[]
}

interface ApproveDialogProps {
  sale: Sale
  needed: Needed
  total: Poisha
  onApproved: (terms: SaleTerms) => void
  onClose: () => void
}

/** A supervisor approves the sale on the cashier's screen, exactly as shown. */
export function ApproveDialog({ sale, needed, total, onApproved, onClose }: ApproveDialogProps) {
  const { t, lang } = useI18n()
  const taka = (amount: number) => formatTaka(takaToPoisha(amount), lang)
  async function approve(supervisor: TypedSupervisor): Promise<string | null> {
    const answer = await adminPost<{ approved_by: string }>('/admin/quick-orders/approve', { ...needed, ...supervisor, sale_key: sale.key })
    if (!answer.ok) return answer.errors.code?.[0] ?? answer.message ?? t('pos.approval.offline')
    showToast(t('pos.approval.done', { name: answer.body.approved_by }), { milliseconds: TOAST_TIME })
    onApproved(termsOf(needed))
    return null
  }
  return (
    <SupervisorDialog action={t('pos.approval.do')} onApprove={approve} onClose={onClose}>
      <ul className="mt-2 list-disc space-y-1 ps-5">
        {needed.discount > 0 ? <li>{t('pos.approval.of-discount', { amount: taka(needed.discount) })}</li> : null}
        {needed.lines.map(({ id, quantity, price, price_is_set, held }) => {
          if (!price_is_set && !held) return null
          const line = sale.lines.find((one) => one.id === id)
          const name = line?.name ?? String(id)
          const amount = formatQuantity(toMilli(quantity), line?.unit ?? '', lang)
          return (
            <li key={id} className="wrap-anywhere">
              {price_is_set
                ? t('pos.approval.of-price', {
                    name,
                    quantity: amount,
                    price: taka(price),
                    list: line?.listPrice ? formatTaka(line.listPrice, lang) : '',
                  })
                : null}
              {price_is_set && held ? ' ' : null}
              {held ? t('pos.approval.of-held', { name, quantity: amount }) : null}
            </li>
          )
        })}
      </ul>
      <p className="mt-3 flex items-baseline justify-between gap-4 border-t border-line pt-2 font-semibold">
        {t('pos.approval.total')} <span className="tabular-nums text-xl">{formatTaka(total, lang)}</span>
      </p>
      <p className="mt-1 text-sm text-stone">{t('pos.approval.exact')}</p>
    </SupervisorDialog>
  )
}

function termsOf({ discount, lines }: Needed): SaleTerms {
  return {
    discount: takaToPoisha(discount),
    lines: lines.map(({ id, quantity, price, price_is_set, held }) => {
      return { id, quantityMilli: toMilli(quantity), price: takaToPoisha(price), isPriceSet: price_is_set, isHeld: held }
    }),
  }
}
