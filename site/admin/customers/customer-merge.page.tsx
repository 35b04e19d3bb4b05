import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import type { MergeError, MergeSide } from '#features/customers/merge-customers.server.ts'
import { shownName } from '#lib/format/shown-name.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits, formatNumber } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { MAX_TYPED_PHONE_LENGTH } from '#lib/format/input-limits.ts'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  target: { id: number; name: string; phone: string }
  typed: string
  /** Null while no customer is chosen. */
  preview: { ok: true; target: MergeSide; other: MergeSide } | { ok: false; reason: MergeError } | null
}

const taka = (amount: number, lang: Lang) => formatTaka(takaToPoisha(amount), lang)

/** Merges two customers: choose the other, see the effects, confirm. */
export function Page({ target, typed, preview }: Props) {
  const { t, lang } = useI18n()
  const refusal = preview && !preview.ok ? t(`customers.merge.${preview.reason}`) : undefined
  return (
    <AdminLayout title={t('customers.merge')} back={{ href: `/admin/customers/${target.id}`, label: shownName(target.name, lang) }}>
      <form method="get" className="admin-card max-w-3xl p-4">
        <p className="mb-3 text-stone">{t('customers.merge-hint')}</p>
        <div className="flex items-start gap-2">
          <div className="grow sm:max-w-96">
            <TextField
              label={t('customers.merge-with')}
              name="with"
              defaultValue={typed}
              error={refusal}
              maxLength={MAX_TYPED_PHONE_LENGTH}
              inputMode="tel"
              autoComplete="off"
              required
            />
          </div>
          <Button type="submit" kind="secondary" className="mt-7 min-h-12">
            {t('customers.merge-find')}
          </Button>
        </div>
      </form>
      {preview?.ok ? <Preview target={preview.target} other={preview.other} /> : null}
    </AdminLayout>
  )
}

function Preview({ target, other }: { target: MergeSide; other: MergeSide }) {
  const { t, lang } = useI18n()
  const { sendsSms } = usePageContext()
  const { ask, dialog } = useConfirm()
  const { can } = usePermissions()
  const mayMerge = !other.owns_account || can('customers.accounts')
  const [isBusy, setBusy] = useState(false)
  const called = ({ name, phone }: MergeSide) => `${shownName(name, lang)} (${localizeDigits(lang, phone)})`
  const phone = localizeDigits(lang, other.phone)
  const count = (number: number) => formatNumber(number, lang)
  const consequences = [
    t('customers.merge-moves', {
      orders: count(other.orders),
      addresses: count(other.addresses),
      notes: count(other.notes),
      coupons: count(other.coupon_uses),
      name: shownName(target.name, lang),
    }),
    ...(other.owed > 0 || other.store_credit > 0
      ? [
          t('customers.merge-money', {
            owed: taka(other.owed, lang),
            credit: taka(other.store_credit, lang),
            name: shownName(target.name, lang),
          }),
        ]
      : []),
    t('customers.merge-phone', { phone, name: shownName(target.name, lang) }),
    ...(other.has_account ? [t('customers.merge-account', { phone })] : []),
    ...(other.owns_account && sendsSms ? [t('customers.merge-sms', { phone })] : []),
    t('customers.merge-forever'),
  ]
  const list = (
    <ul className="list-disc space-y-1 ps-5">
      {consequences.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
  async function merge() {
    const title = t('customers.merge-title', { other: called(other), target: called(target) })
    if (!(await ask({ title, text: list, action: t('customers.merge-go') }))) return
    setBusy(true)
    const written = await adminPost<{ redirect: string }>(`/admin/customers/${target.id}/merge`, { other: other.id, orders: other.orders })
    if (written.ok) {
      showToast(t('customers.merge-done'))
      return location.assign(written.body.redirect)
    }
    setBusy(false)
    showFailure(written, t)
  }
  return (
    <div className="mt-4 max-w-3xl">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <SideCard title={t('customers.merge-target')} side={target} />
        <SideCard title={t('customers.merge-gone')} side={other} />
      </div>
      <section className="stitch mt-4 rounded-card bg-tag-100 p-4">
        <h2 className="mb-2 text-lg">{t('customers.merge-after')}</h2>
        {list}
      </section>
      {mayMerge ? (
        <Button kind="danger" className="mt-4" busy={isBusy} onClick={() => void merge()}>
          {t('customers.merge-go')}
        </Button>
      ) : (
        <p className="mt-4 font-semibold">{t('customers.merge.managers')}</p>
      )}
      {dialog}
    </div>
  )
}

function SideCard({ title, side }: { title: string; side: MergeSide }) {
  const { t, lang } = useI18n()
  const details: [string, string][] = [
    [t('customers.phone'), localizeDigits(lang, side.phone)],
    [t('customers.email'), side.email || '–'],
    [t('customers.account'), t(side.has_account ? 'customers.has-account' : 'customers.guest')],
    [t('customers.orders'), formatNumber(side.orders, lang)],
    [t('customers.addresses'), formatNumber(side.addresses, lang)],
    [t('customers.bookings'), formatNumber(side.bookings, lang)],
  ]
  const amounts: [string, number][] = [
    [t('pos.account.limit'), side.credit_limit],
    [t('pos.account.owed'), side.owed],
    [t('pos.store_credit'), side.store_credit],
  ]
  for (const [name, amount] of amounts) if (amount > 0) details.push([name, taka(amount, lang)])
  return (
    <section className="admin-card p-4">
      <p className="text-sm text-stone">{title}</p>
      <h2 className="text-lg break-words">
        <a href={`/admin/customers/${side.id}`} className="hover:underline">
          {shownName(side.name, lang)}
        </a>
      </h2>
      <dl className="mt-2 space-y-1 text-sm">
        {details.map(([name, text]) => (
          <div key={name} className="flex gap-3">
            <dt className="text-stone">{name}</dt>
            <dd className="tabular-nums ms-auto text-end break-all">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
