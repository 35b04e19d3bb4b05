import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import type { FinalWeighing } from '#features/cattle/settlement/final-weighings.server.ts'
import type { AnimalWeighIn, DueWeighing, RecentWeighIn, ScaleAnimal } from '#features/cattle/queries.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { MAX_TAG_LENGTH } from '#features/catalog/limits.ts'
import { AnimalCard, AnimalLine, kilograms } from './animal-line.tsx'
import { History } from './history.tsx'
import { ScaleForm } from './weigh-in-form.tsx'
import { Settle, WeighInPhoto } from './settle.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { SearchIcon } from '../ui/icons.tsx'

/** The customer is null for staff who do not read orders. */
type DueRow = Omit<DueWeighing, 'customer'> & { customer: string | null }

export interface Props {
  /** The search text. */
  tag: string
  found: ScaleAnimal[]
  /** The animal on the scale. */
  animal: ScaleAnimal | null
  /** The final weighing of the order that holds it. */
  weighing: FinalWeighing | null
  /** Its last weigh-ins. */
  history: AnimalWeighIn[]
  /** Final weighings whose orders are not settled. */
  unsettled: { rows: FinalWeighing[]; total: number }
  due: { rows: DueRow[]; total: number }
  recent: RecentWeighIn[]
  today: string
  /** Name of the person at the scale. */
  weigher: string
}

/** The scale in the yard, made for a phone in one hand: tag, kilograms, next. */
export function Page({ tag, found, animal, weighing, history, unsettled, due, recent, today, weigher }: Props) {
  const { t } = useI18n()
  const { can } = usePermissions()
  const [weighIns, setWeighIns] = useState(history)
  // A weigh-in that was just saved has its own settlement: the one that the page opened with may be of another weight.
  const isJustWeighed = weighIns !== history
  return (
    <AdminLayout title={t('admin.nav.weighins')}>
      <div className="grid max-w-5xl gap-5">
        <TagSearch tag={tag} />
        {tag !== '' && found.length === 0 ? (
          <p role="alert" className="admin-card px-4 py-3">
            {t('weigh.none', { tag })}
          </p>
        ) : null}
        {animal === null && found.length > 1 ? <Choice found={found} /> : null}
        {animal && weighing?.state === 'to-settle' && !isJustWeighed ? <Settle weighing={weighing} /> : null}
        {animal && can('weighins.write') ? (
          <ScaleForm key={animal.id} animal={animal} today={today} weigher={weigher} onHistory={setWeighIns} />
        ) : null}
        {animal && !can('weighins.write') ? <AnimalCard animal={animal} /> : null}
        {animal ? <History animal={animal} history={weighIns} /> : null}
        {animal === null ? (
          <>
            <Unsettled unsettled={unsettled} />
            <DueList due={due} />
            <RecentList recent={recent} />
          </>
        ) : null}
      </div>
    </AdminLayout>
  )
}

function TagSearch({ tag }: { tag: string }) {
  const { t } = useI18n()
  return (
    <form method="get" className="admin-card flex flex-wrap items-end gap-3 p-4">
      <div className="grow basis-52">
        <TextField
          type="search"
          name="tag"
          label={t('weigh.find')}
          hint={t('weigh.find-hint')}
          defaultValue={tag}
          autoCapitalize="characters"
          autoComplete="off"
          maxLength={MAX_TAG_LENGTH}
        />
      </div>
      <Button type="submit" kind="secondary" className="max-sm:w-full">
        <SearchIcon size={18} />
        {t('weigh.search')}
      </Button>
    </form>
  )
}

function Choice({ found }: { found: ScaleAnimal[] }) {
  const { t } = useI18n()
  return (
    <section>
      <h2 className="mb-2 text-lg">{t('weigh.choose')}</h2>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {found.map((animal) => (
          <li key={animal.id}>
            <a href={`?animal=${animal.id}`} className="admin-card block p-3 hover:border-leaf-600">
              <AnimalLine animal={animal} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Animals weighed for the last time: each settles its order here. */
function Unsettled({ unsettled: { rows, total } }: { unsettled: Props['unsettled'] }) {
  const { t } = useI18n()
  if (rows.length === 0) return null
  return (
    <section>
      <h2 className="mb-2 text-lg">{t('settle.list-title')}</h2>
      <ul className="grid grid-cols-1 items-start gap-3 lg:grid-cols-2">
        {rows.map((weighing) => (
          <li key={weighing.animal_id}>
            <Settle weighing={weighing} level={3} />
          </li>
        ))}
      </ul>
      <Left shown={rows.length} total={total} />
    </section>
  )
}

/** Says that a list is not complete. */
function Left({ shown, total }: { shown: number; total: number }) {
  const { t } = useI18n()
  return total > shown ? <p className="mt-2 text-stone">{t('weigh.first', { shown, total })}</p> : null
}

function DueList({ due: { rows, total } }: { due: Props['due'] }) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const columns: Column<DueRow>[] = [
    { key: 'animal', head: t('weigh.animal'), cell: (one) => <span className="ear-tag">{one.tag_number}</span> },
    { key: 'due', head: t('weigh.due-on'), cell: (one) => formatDay(one.due_on, lang) },
    { key: 'weight', head: t('weigh.weight'), align: 'end', cell: (one) => (one.weight_kg === null ? '' : kilograms(one.weight_kg, lang)) },
    { key: 'order', head: t('weigh.order'), align: 'end', cell: (one) => <OrderLink id={one.order_id} /> },
  ]
  if (can('orders.read'))
    columns.push({
      key: 'customer',
      head: t('weigh.customer'),
      cell: ({ customer }) => (customer === null ? '' : shownName(customer, lang)),
    })
  return (
    <section>
      <h2 className="mb-2 text-lg">{t('weigh.due-title')}</h2>
      <DataTable
        label={t('weigh.due-title')}
        rows={rows}
        columns={columns}
        rowKey={(one) => one.id}
        rowHref={(one) => `?animal=${one.id}`}
        empty={t('weigh.due-empty')}
      />
      <Left shown={rows.length} total={total} />
    </section>
  )
}

function RecentList({ recent }: { recent: RecentWeighIn[] }) {
  const { t, lang } = useI18n()
  const columns: Column<RecentWeighIn>[] = [
    { key: 'animal', head: t('weigh.animal'), cell: (one) => <span className="ear-tag">{one.tag_number}</span> },
    { key: 'weight', head: t('weigh.weight'), align: 'end', cell: (one) => kilograms(one.kg, lang) },
    { key: 'day', head: t('weigh.day'), cell: (one) => formatDay(one.weighed_on, lang) },
    { key: 'method', head: t('weigh.method'), cell: (one) => t(`product.method.${one.method}`) },
    { key: 'by', head: t('weigh.by'), cell: (one) => one.weighed_by },
  ]
  if (recent.some((one) => one.picture_url !== null))
    columns.push({ key: 'photo', head: t('weigh.photo'), cell: (one) => <WeighInPhoto url={one.picture_url} tag={one.tag_number} /> })
  return (
    <section>
      <h2 className="mb-2 text-lg">{t('weigh.recent')}</h2>
      <DataTable
        label={t('weigh.recent')}
        rows={recent}
        columns={columns}
        rowKey={(one) => one.id}
        rowHref={(one) => `?animal=${one.product_id}`}
      />
    </section>
  )
}

function OrderLink({ id }: { id: number | null }) {
  const { lang } = useI18n()
  const { can } = usePermissions()
  if (id === null) return null
  const number = localizeDigits(lang, String(id))
  return can('orders.read') ? (
    <a href={`/admin/orders/update/${id}`} className="tap underline underline-offset-4">
      {number}
    </a>
  ) : (
    number
  )
}
