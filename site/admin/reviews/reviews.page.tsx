import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Stars } from '#components/stars.tsx'
import { showToast } from '#components/toast.tsx'
import { REVIEW_STATES, type ReviewState, languageOf } from '#features/reviews/rules.ts'
import type { ReviewRow } from '#features/reviews/types.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { formatNumber, localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, failureText } from '../ui/admin-post.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'
import { isSameInput } from '../ui/same-input.ts'
import { Tabs } from '../ui/tabs.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { type Decision, ReviewDialog, type SaveErrors } from './review-dialog.tsx'

export interface Props {
  page: KeysetPage<ReviewRow>
  /** Null: all. */
  state: ReviewState | null
}

const CHIPS: Record<ReviewState, string> = { waiting: 'chip-mango', published: 'chip-leaf', refused: 'chip-indigo' }

/** Reviews of buyers: staff publish, refuse and answer them. */
export function Page({ page, state }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [rows, setRows] = useState(page.rows)
  const [open, setOpen] = useState<ReviewRow | null>(null)
  const save = async (row: ReviewRow, decision: Decision): Promise<SaveErrors | null> => {
    const written = await adminPost<{ review: ReviewRow }>(`/admin/reviews/${row.id}`, { ...decision, version: row.version })
    const saved = written.ok ? written.body.review : written.saved?.review
    if (saved) {
      setRows((before) => before.map((one) => (one.id === saved.id ? saved : one)))
      setOpen((now) => (now?.id === saved.id ? saved : now))
    }
    // As it was sent: a press whose answer was lost has saved it.
    const { state, refusal, answer } = decision
    const isSaved = written.ok || (saved?.state === state && isSameInput([saved.refusal, saved.answer], [refusal, answer]))
    if (!isSaved) return { ...written.errors, all: [failureText(written, t)] }
    showToast(t('reviews.saved'))
    return null
  }
  const publish = async (row: ReviewRow) => {
    const errors = await save(row, { state: 'published', refusal: '', answer: row.answer })
    if (errors) showToast(errors.all?.[0] ?? t('admin.no-answer'), { kind: 'error' })
  }
  const columns: Column<ReviewRow>[] = [
    {
      key: 'review',
      head: t('reviews.review'),
      lead: true,
      cell: (row) => <ReviewText row={row} />,
    },
    {
      key: 'product',
      head: t('reviews.product'),
      cell: (row) => (
        <a href={`/admin/products/${row.product_id}`} className="tap block max-w-48 break-words underline underline-offset-2">
          {lang === 'bn' ? row.product_bn : row.product_en}
        </a>
      ),
    },
    {
      key: 'order',
      head: t('reviews.order'),
      wideOnly: true,
      cell: (row) =>
        can('orders.read') ? (
          <a href={`/admin/orders/update/${row.order_id}`} className="tap tabular-nums underline underline-offset-2">
            {localizeDigits(lang, String(row.order_id))}
          </a>
        ) : (
          localizeDigits(lang, String(row.order_id))
        ),
    },
    {
      key: 'state',
      head: t('reviews.state'),
      corner: true,
      cell: (row) => <span className={`chip ${CHIPS[row.state]}`}>{t(`reviews.state.${row.state}`)}</span>,
    },
    {
      key: 'do',
      head: t('admin.table.actions'),
      align: 'end',
      cell: (row) =>
        can('catalog.write') ? (
          <span className="flex justify-end gap-1.5">
            {row.state === 'waiting' ? (
              <Button size="small" onClick={() => void publish(row)} aria-label={t('reviews.publish-of', { name: row.name })}>
                {t('reviews.publish')}
              </Button>
            ) : null}
            <Button size="small" kind="secondary" onClick={() => setOpen(row)} aria-label={t('reviews.edit-of', { name: row.name })}>
              {t('reviews.edit')}
            </Button>
          </span>
        ) : null,
    },
  ]
  const tab = (one: ReviewState | 'all') => ({
    label: one === 'all' ? t('reviews.all') : t(`reviews.state.${one}`),
    href: one === 'waiting' ? '/admin/reviews' : `/admin/reviews?state=${one}`,
    isCurrent: one === (state ?? 'all'),
  })
  return (
    <AdminLayout title={t('admin.nav.reviews')}>
      <Tabs label={t('reviews.state')} tabs={[...REVIEW_STATES, 'all' as const].map(tab)} />
      <DataTable
        label={t('admin.nav.reviews')}
        rows={rows}
        columns={columns}
        rowKey={(row) => row.id}
        empty={t(state === 'waiting' ? 'reviews.none-waiting' : 'admin.table.empty-filtered')}
      />
      <Paging prev={page.prev} next={page.next} />
      {open ? <ReviewDialog key={open.id} row={open} onSave={save} onClose={() => setOpen(null)} /> : null}
    </AdminLayout>
  )
}

function ReviewText({ row }: { row: ReviewRow }) {
  const { t, lang } = useI18n()
  return (
    <div className="max-w-xl">
      <span className="flex flex-wrap items-center gap-x-2">
        <Stars rating={row.rating} label={t('review.stars', { rating: formatNumber(row.rating, lang) })} />
        <b className="break-words">{row.name}</b>
        <time dateTime={row.created_at} className="text-sm font-normal text-stone">
          {formatDateTime(new Date(row.created_at), lang)}
        </time>
      </span>
      {row.body ? (
        <p className="font-normal break-words whitespace-pre-line" lang={languageOf(row.body)}>
          {row.body}
        </p>
      ) : null}
      {row.pictures.length > 0 ? (
        <ul className="mt-1 flex gap-2">
          {row.pictures.map((picture, index) => (
            <li key={picture.token}>
              <a href={`/uploads/${picture.token}-${picture.widths.at(-1)}.webp`} target="_blank" rel="noopener" className="block">
                <img
                  src={`/uploads/${picture.token}-${picture.widths[0]}.webp`}
                  alt={t('review.photo-number', { number: formatNumber(index + 1, lang) })}
                  width={72}
                  height={72}
                  loading="lazy"
                  className="size-18 rounded-card object-cover"
                />
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      {row.refusal ? <p className="mt-1 text-sm font-normal text-stone">{t('reviews.refused-for', { reason: row.refusal })}</p> : null}
      {row.answer ? (
        <p className="mt-1 border-s-4 border-leaf-600 ps-2 text-sm font-normal break-words whitespace-pre-line">{row.answer}</p>
      ) : null}
    </div>
  )
}
