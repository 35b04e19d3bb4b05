import { ButtonLink } from '#components/button.tsx'
import type { Settings } from '#features/settings/settings.ts'
import type { RateTableItem } from '#features/cattle/rates/queries.server.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { formatFullDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { seasonName } from '#features/catalog/season-name.ts'
import { usePermissions } from '../ui/use-permissions.ts'
import { PlusIcon } from '../ui/icons.tsx'

export interface Props {
  tables: RateTableItem[]
  kurbani: Settings['kurbani']
}

/** Prices per kilogram of live weight, by category and season. */
export function Page({ tables, kurbani }: Props) {
  const { t } = useI18n()
  const { can } = usePermissions()
  return (
    <AdminLayout
      title={t('admin.nav.rates')}
      actions={
        can('catalog.write') ? (
          <ButtonLink href="/admin/rates/edit">
            <PlusIcon size={18} />
            {t('rates.add')}
          </ButtonLink>
        ) : null
      }
    >
      <Season kurbani={kurbani} />
      {tables.length === 0 ? <p className="admin-card px-4 py-10 text-center text-stone">{t('rates.empty')}</p> : null}
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {tables.map((table) => (
          <RateCard key={`${table.category_id} ${table.season}`} table={table} canWrite={can('catalog.write')} />
        ))}
      </div>
    </AdminLayout>
  )
}

/** The season that counts, and its days; they are set with the shop's other settings. */
function Season({ kurbani }: { kurbani: Settings['kurbani'] }) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const span = (from: string, to: string) => `${formatFullDay(from, lang)} – ${formatFullDay(to, lang)}`
  return (
    <section className="admin-card mb-4 flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
      <h2 className="text-lg">
        {t('rates.season-now')} <span className="chip chip-leaf ms-1 align-middle">{seasonName(t, lang, kurbani.season)}</span>
      </h2>
      <p className="tabular-nums text-sm text-stone">
        {t('rates.weighed')}: {span(kurbani.weighedFrom, kurbani.weighedTo)}
      </p>
      <p className="tabular-nums text-sm text-stone">
        {t('rates.delivered')}: {span(kurbani.deliveryFrom, kurbani.deliveryTo)}
      </p>
      {can('settings.write') ? (
        <a
          href="/admin/settings?part=animals"
          className="inline-flex min-h-9 pointer-coarse:min-h-11 items-center font-semibold text-leaf-600 hover:underline"
        >
          {t('rates.to-settings')}
        </a>
      ) : null}
    </section>
  )
}

function RateCard({ table, canWrite }: { table: RateTableItem; canWrite: boolean }) {
  const { t, lang } = useI18n()
  const { category_id, category, season, tiers, counts } = table
  const name = seasonName(t, lang, season)
  return (
    <section className="admin-card overflow-clip">
      <div className="flex items-start gap-2 px-4 py-2.5">
        <div className="flex min-h-9 min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <h2 className="text-lg wrap-anywhere">{category}</h2>
          {season ? <span className="chip chip-stone">{name}</span> : null}
          {counts ? <span className="chip chip-leaf">{t('rates.counts')}</span> : null}
        </div>
        {canWrite ? (
          <ButtonLink
            kind="secondary"
            size="small"
            className="ms-auto"
            aria-label={t('rates.edit-named', { name: `${category} ${name}`.trim() })}
            href={`/admin/rates/edit?category=${category_id}&season=${encodeURIComponent(season)}`}
          >
            {t('admin.edit')}
          </ButtonLink>
        ) : null}
      </div>
      <table className="tabular-nums w-full text-sm">
        <thead>
          <tr className="border-y border-line bg-sand">
            <th scope="col" className="px-4 py-1.5 text-start">
              {t('rates.from')}
            </th>
            <th scope="col" className="px-4 py-1.5 text-end">
              {t('rates.per-kg')}
            </th>
          </tr>
        </thead>
        <tbody>
          {tiers.map(({ from_kg, per_kg }) => (
            <tr key={from_kg} className="border-b border-line last:border-b-0">
              <td className="px-4 py-1.5">{t('rates.kg', { kg: formatNumber(from_kg, lang) })}</td>
              <td className="px-4 py-1.5 text-end">{formatTaka(takaToPoisha(per_kg), lang)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
