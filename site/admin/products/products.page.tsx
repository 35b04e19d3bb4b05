import { useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import type { ProductList, ProductListRow } from '#features/catalog/products/product-list.server.ts'
import { STATUS_FILTERS, UNSOLD, VISIBILITIES } from '#features/catalog/products/list-query-rules.ts'
import type { SavedFilter } from '#features/admin-search/saved-filters.server.ts'
import { MAX_COUNTED } from '#lib/db/keyset.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits, formatKg, formatQuantity, toMilli } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { BulkDialog, type BulkWhat } from './bulk-dialog.tsx'
import { VisibilityChip, StatusChip } from './chips.tsx'
import { PictureIcon, PlusIcon } from '../ui/icons.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyList } from '../ui/empty-list.tsx'
import { FilterBar } from '../ui/filters.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  list: ProductList
  sort: { by: string; order: 'asc' | 'desc' }
  query: Record<string, string>
  categories: { id: number; name: string; isCattle: boolean }[]
  low: number
  savedFilters: SavedFilter[]
}

const FILTERS = ['q', 'category', 'status', 'kind', 'visibility', 'low', 'sort', 'order'] as const
const BULK: BulkWhat[] = ['price', 'status', 'visible', 'delivery_on', 'archived']

/** Everything the farm sells, sold and will sell. */
export function Page({ list, sort, query, categories, low, savedFilters }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [bulk, setBulk] = useState<{ what: BulkWhat; rows: ProductListRow[]; clear(): void } | null>(null)
  const mayWrite = can('catalog.write')
  const asked = new URLSearchParams(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])))
  const columns: Column<ProductListRow>[] = [
    { key: 'name', head: t('products.name'), lead: true, sort: 'name', cell: (row) => <Name row={row} /> },
    { key: 'category', head: t('products.category'), wideOnly: true, cell: (row) => row.category },
    { key: 'status', head: t('products.status'), cell: (row) => <StatusChip status={row.status} /> },
    { key: 'stock', head: t('products.stock'), align: 'end', cell: (row) => <Stock row={row} low={low} /> },
    { key: 'price', head: t('products.price'), align: 'end', sort: 'price', cell: (row) => formatTaka(takaToPoisha(row.price), lang) },
    {
      key: 'visibility',
      head: t('products.visibility'),
      cell: (row) => <VisibilityChip isArchived={row.is_archived} visible={row.visible} />,
    },
    {
      key: 'id',
      head: t('products.number'),
      align: 'end',
      sort: 'new',
      wideOnly: true,
      cell: (row) => localizeDigits(lang, String(row.id)),
    },
  ]
  const isFiltered = FILTERS.some((name) => name !== 'sort' && name !== 'order' && query[name])
  return (
    <AdminLayout
      title={t('admin.nav.products')}
      actions={
        <>
          <ButtonLink kind="secondary" href={`/admin/products/export?${asked}`} download>
            {t('products.export')}
          </ButtonLink>
          {mayWrite ? (
            <>
              <ButtonLink kind="secondary" href="/admin/stock-takes">
                {t('admin.nav.stock-takes')}
              </ButtonLink>
              <ButtonLink kind="secondary" href="/admin/products/import">
                {t('products.import')}
              </ButtonLink>
              <ButtonLink href="/admin/products/create">
                <PlusIcon size={18} />
                {t('products.add')}
              </ButtonLink>
            </>
          ) : null}
        </>
      }
    >
      <FilterBar
        screen="products"
        values={query}
        saved={savedFilters}
        fields={[
          { name: 'q', label: t('products.search'), kind: 'search' },
          {
            name: 'category',
            label: t('products.category'),
            kind: 'select',
            options: categories.map(({ id, name }) => [String(id), name]),
          },
          {
            name: 'status',
            label: t('products.status'),
            kind: 'select',
            options: STATUS_FILTERS.map((status) => [status, t(status === UNSOLD ? 'products.unsold' : `catalog.status.${status}`)]),
          },
          {
            name: 'kind',
            label: t('products.kind'),
            kind: 'select',
            options: (['animal', 'goods'] as const).map((kind) => [kind, t(`products.kind.${kind}`)]),
          },
          {
            name: 'visibility',
            label: t('products.visibility'),
            kind: 'select',
            options: VISIBILITIES.map((visibility) => [visibility, t(`products.visibility.${visibility}`)]),
          },
          { name: 'low', label: t('products.low'), kind: 'select', options: [['1', t('products.low.only')]], isRare: true },
        ]}
      />
      <DataTable
        label={t('admin.nav.products')}
        rows={list.rows}
        columns={columns}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/products/${row.id}`}
        rowName={(row) => nameOf(row, lang)}
        sort={sort}
        empty={
          isFiltered ? (
            t('products.empty')
          ) : (
            <EmptyList text={t('products.none')} action={mayWrite ? { href: '/admin/products/create', label: t('products.add') } : null} />
          )
        }
        bulk={(rows: ProductListRow[], clear: () => void) => (
          <>
            {(mayWrite ? BULK : []).map((what) => (
              <Button key={what} kind="tag" size="small" onClick={() => setBulk({ what, rows, clear })}>
                {t(`products.bulk.${what}`)}
              </Button>
            ))}
            <ButtonLink kind="tag" size="small" href={`/admin/labels?ids=${rows.map(({ id }) => id).join()}`}>
              {t('labels.print')}
            </ButtonLink>
          </>
        )}
      />
      <Paging
        prev={list.prev}
        next={list.next}
        note={t('products.count', { count: Math.min(list.count, MAX_COUNTED), more: list.count > MAX_COUNTED })}
      />
      {bulk ? <BulkDialog {...bulk} onClose={() => setBulk(null)} /> : null}
    </AdminLayout>
  )
}

const nameOf = (row: Pick<ProductListRow, 'name_en' | 'name_bn'>, lang: string) => (lang === 'bn' ? row.name_bn : row.name_en)

function Name({ row }: { row: ProductListRow }) {
  const { lang } = useI18n()
  const { picture } = row
  return (
    <span className="flex items-center gap-3">
      {picture ? (
        <img
          src={`/uploads/${picture.token}-${picture.widths[0]}.webp`}
          alt=""
          width={56}
          height={42}
          loading="lazy"
          className="h-10.5 w-14 shrink-0 rounded-tag object-cover"
          style={{ background: `url(${picture.placeholder}) center / cover` }}
        />
      ) : (
        <span className="grid h-10.5 w-14 shrink-0 place-items-center rounded-tag bg-sand text-stone">
          <PictureIcon size={18} />
        </span>
      )}
      <span className="min-w-0">
        <span className="line-clamp-2 break-words">{nameOf(row, lang)}</span>
        {row.tag_number ? <span className="ear-tag -rotate-2 text-xs">{row.tag_number}</span> : null}
      </span>
    </span>
  )
}

function Stock({ row, low }: { row: ProductListRow; low: number }) {
  const { t, lang } = useI18n()
  if (row.is_unique) return row.weight_kg === null ? '—' : formatKg(toMilli(row.weight_kg), lang)
  if (row.stock === null) return <span className="text-stone">{t('products.not-counted')}</span>
  const text = formatQuantity(toMilli(row.stock), row.unit, lang)
  return row.stock <= low ? <span className="chip chip-mango">{text}</span> : text
}
