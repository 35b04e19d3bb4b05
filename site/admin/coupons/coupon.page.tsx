import { useState } from 'react'
import { Button } from '#components/button.tsx'
import type { ListedProduct } from '#features/catalog/listed-products.server.ts'
import { couponBody, couponForm } from '#features/pricing/coupons/forms.ts'
import type { CouponRecord, CouponSums, CouponUse } from '#features/pricing/coupons/admin-queries.server.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { useI18n } from '#page/page-context.tsx'
import { type CategoryChoice, CouponFields, type CouponValues } from './coupon-fields.tsx'
import { CouponUses } from './coupon-uses.tsx'
import { CouponChip } from './coupon-labels.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { AdminForm } from '../ui/form.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { useAdminForm } from '../ui/use-form.ts'
import { usePermissions } from '../ui/use-permissions.ts'

type FullCoupon = CouponRecord & { products: ListedProduct[] }

export interface Props {
  /** Null for a new coupon. */
  coupon: FullCoupon | null
  categories: CategoryChoice[]
  sums?: CouponSums
  page?: KeysetPage<CouponUse> | null
}

const BLANK: CouponValues = {
  code: '',
  kind: 'percentage',
  percent: '',
  value: '',
  max_discount: '',
  scope: 'all',
  products: [],
  category_ids: [],
  min_subtotal: '',
  starts_at: null,
  ends_at: null,
  max_uses: '',
  max_uses_per_customer: '',
  first_order_only: false,
  active: true,
  note: '',
}

/** Edits a coupon, and lists the orders that used it. */
export function Page({ coupon: initial, categories, sums, page }: Props) {
  const { t } = useI18n()
  const [coupon, setCoupon] = useState(initial)
  const { can } = usePermissions()
  const canWrite = can('catalog.write')
  const form = useAdminForm<CouponValues, { coupon?: FullCoupon; redirect?: string }>({
    id: `coupon-${coupon?.id ?? 'new'}`,
    initial: coupon ? fieldsOf(coupon) : BLANK,
    ...(coupon ? { version: coupon.version } : {}),
    schema: coupon ? couponBody : couponForm,
    bodyOf,
    save: (values) =>
      adminPost(coupon ? `/admin/coupons/${coupon.id}` : '/admin/coupons/store', bodyOf(values), coupon ? {} : { once: 'coupon-new' }),
    onSaved(answer) {
      if (answer.redirect) location.assign(answer.redirect)
      if (!answer.coupon) return
      setCoupon(answer.coupon)
      return fieldsOf(answer.coupon)
    },
  })
  return (
    <AdminLayout
      title={coupon ? <span className="tabular-nums">{coupon.code}</span> : t('coupons.new')}
      note={coupon ? <CouponChip state={coupon.state} /> : null}
      back={{ href: '/admin/coupons', label: t('admin.nav.coupons') }}
      actions={coupon?.active && canWrite ? <StopButton coupon={coupon} /> : null}
    >
      <AdminForm form={form} readOnly={!canWrite} cancelHref="/admin/coupons">
        <CouponFields values={form.values} categories={categories} readOnly={!canWrite} />
      </AdminForm>
      {coupon && sums ? <CouponUses uses={coupon.uses} sums={sums} page={page ?? null} /> : null}
    </AdminLayout>
  )
}

function StopButton({ coupon }: { coupon: CouponRecord }) {
  const { t } = useI18n()
  const { ask, dialog } = useConfirm()
  const [isBusy, setBusy] = useState(false)
  async function stop() {
    const { code, id, version } = coupon
    if (!(await ask({ title: t('coupons.stop-question', { code }), text: t('coupons.stop-text'), action: t('coupons.stop') }))) return
    setBusy(true)
    const stopped = await adminPost(`/admin/coupons/${id}/stop`, { version })
    if (stopped.ok) return location.reload()
    setBusy(false)
    showFailure(stopped, t)
  }
  return (
    <>
      <Button kind="secondary" busy={isBusy} onClick={stop}>
        {t('coupons.stop')}
      </Button>
      {dialog}
    </>
  )
}

/** The body takes the ids of the products, and of the amounts those that the kind has: an error at a hidden field is not seen. */
function bodyOf({ products, percent, max_discount, value, ...rest }: CouponValues) {
  const worth = rest.kind === 'percentage' ? { percent, max_discount, value: '' } : { percent: '', max_discount: '', value }
  return { ...rest, ...worth, product_ids: products.map(({ id }) => id) }
}

function fieldsOf({ id: _id, uses: _uses, state: _state, ...rest }: FullCoupon): CouponValues {
  return rest
}
