import { useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { ScaleIcon, SearchIcon } from '#components/icons.tsx'
import type { AnimalOnScale, DueWeighing, RecentWeighIn, ScaleAnimal } from '#features/cattle/queries.server.ts'
import type { Lang } from '#lib/lang.ts'
import { digitsIn, formatKg, latinDigits } from '#lib/numbers.ts'
import { formatDay } from '#lib/time.ts'
import { useI18n } from '#site/app-root.tsx'
import { type KeptWeight, Settle } from './scale/settle.tsx'
import { adminPost } from './ui/admin-post.ts'
import { type Column, DataTable } from './ui/data-table.tsx'
import { FormNumber, FormRow, FormSection, FormSelect, FormText, OfficeForm } from './ui/form.tsx'
import { OfficeLayout } from './ui/layout.tsx'
import { useOfficeForm } from './ui/use-form.ts'
import { useRights } from './ui/use-rights.ts'

export interface Props {
  /** What was searched for. */
  tag: string
  found: AnimalOnScale[]
  /** The animal on the scale. */
  animal: AnimalOnScale | null
  due: DueWeighing[]
  recent: RecentWeighIn[]
  today: string
  /** Name of the person at the scale. */
  weigher: string
}

/** The scale in the yard, made for a phone in one hand: tag, kilograms, next. */
export function Page({ tag, found, animal, due, recent, today, weigher }: Props) {
  const { t } = useI18n()
  const { can } = useRights()
  return (
    <OfficeLayout title={t('office.nav.weighins')}>
      <div className="grid max-w-5xl gap-5">
        <TagSearch tag={tag} />
        {tag !== '' && found.length === 0 ? (
          <p role="alert" className="office-card px-4 py-3">
            {t('weigh.none', { tag })}
          </p>
        ) : null}
        {animal === null && found.length > 1 ? <Choice found={found} /> : null}
        {animal && can('weighins.write') ? <Scale key={animal.id} animal={animal} today={today} weigher={weigher} /> : null}
        {animal === null ? (
          <>
            <DueList due={due} />
            <RecentList recent={recent} />
          </>
        ) : null}
      </div>
    </OfficeLayout>
  )
}

function TagSearch({ tag }: { tag: string }) {
  const { t } = useI18n()
  return (
    <form method="get" className="office-card flex flex-wrap items-end gap-3 p-4">
      <div className="grow basis-52">
        <TextField
          type="search"
          name="tag"
          label={t('weigh.find')}
          hint={t('weigh.find-hint')}
          defaultValue={tag}
          autoCapitalize="characters"
          autoComplete="off"
          maxLength={20}
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
      <ul className="grid gap-2 sm:grid-cols-2">
        {found.map((animal) => (
          <li key={animal.id}>
            <a href={`?animal=${animal.id}`} className="office-card block p-3 hover:border-leaf-600">
              <AnimalLine animal={animal} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function AnimalLine({ animal }: { animal: ScaleAnimal }) {
  const { t, lang } = useI18n()
  return (
    <div className="flex items-center gap-3">
      {animal.picture_url ? (
        <img src={animal.picture_url} alt="" width={64} height={48} className="h-12 w-16 rounded-tag object-cover" />
      ) : null}
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="ear-tag -rotate-2 text-lg">{animal.tag_number}</span>
          <span className="font-semibold">{lang === 'bn' ? animal.name_bn : animal.name_en}</span>
        </p>
        <p className="text-sm text-stone">
          {animal.weight_kg !== null && animal.weighed_on
            ? t('weigh.now', { kg: kilograms(animal.weight_kg, lang), day: formatDay(animal.weighed_on, lang) })
            : t('weigh.never')}
        </p>
      </div>
    </div>
  )
}

interface Kept {
  weigh_in_id: number
  order_id: number | null
}

/** The animal on the scale: its new weight, and what that settles. */
function Scale({ animal, today, weigher }: { animal: AnimalOnScale; today: string; weigher: string }) {
  const { t, lang } = useI18n()
  const [kept, setKept] = useState<(Kept & KeptWeight) | null>(null)
  /** The weight that the server found surprising: sent once more, it is meant. */
  const [surprise, setSurprise] = useState<string | null>(null)
  const form = useOfficeForm({
    id: `weigh-in-${animal.id}`,
    initial: { weight_kg: '', weighed_on: today, method: 'scale', weighed_by: weigher },
    async save(values) {
      const confirmed = values.weight_kg === surprise
      const once = `weigh-in-${animal.id}`
      const written = await adminPost<Kept>(`/admin/animals/${animal.id}/weigh-ins`, { ...values, confirmed }, { once })
      // A surprise is no clash of two people: it is asked about at the field.
      if (written.ok || written.status !== 409) return written
      setSurprise(values.weight_kg)
      return { ...written, status: 422 }
    },
    onSaved(answer: Kept, values) {
      setKept({ ...answer, kg: Number(latinDigits(values.weight_kg)), on: values.weighed_on })
    },
  })
  const { order_id } = animal
  if (kept) {
    return (
      <section className="grid gap-4">
        <div className="office-card p-4">
          <AnimalLine animal={{ ...animal, weight_kg: kept.kg, weighed_on: kept.on }} />
        </div>
        {kept.order_id === null || animal.booking === null ? null : (
          <Settle animal={animal} booking={animal.booking} orderId={kept.order_id} kept={kept} />
        )}
        <ButtonLink href="/admin/weigh-ins" size="large">
          <ScaleIcon size={20} />
          {t('weigh.next')}
        </ButtonLink>
      </section>
    )
  }
  return (
    <OfficeForm
      form={form}
      saveLabel={form.values.weight_kg === surprise ? t('weigh.anyway') : t('weigh.save')}
      cancelHref="/admin/weigh-ins"
    >
      <FormSection
        title={<AnimalLine animal={animal} />}
        hint={order_id === null ? undefined : t('weigh.booked', { order: digitsIn(lang, String(order_id)) })}
      >
        <FormNumber name="weight_kg" label={t('weigh.kg')} />
        <FormRow>
          <FormText name="weighed_on" label={t('weigh.day')} type="date" max={today} />
          <FormSelect
            name="method"
            label={t('weigh.method')}
            options={(['scale', 'tape', 'estimate'] as const).map((method) => [method, t(`product.method.${method}`)])}
          />
        </FormRow>
        <FormText name="weighed_by" label={t('weigh.by')} maxLength={255} />
      </FormSection>
    </OfficeForm>
  )
}

function DueList({ due }: { due: DueWeighing[] }) {
  const { t, lang } = useI18n()
  const columns: Column<DueWeighing>[] = [
    { key: 'animal', head: t('weigh.animal'), cell: (one) => <span className="ear-tag">{one.tag_number}</span> },
    { key: 'due', head: t('weigh.due-on'), cell: (one) => formatDay(one.due_on, lang) },
    { key: 'weight', head: t('weigh.weight'), align: 'end', cell: (one) => (one.weight_kg === null ? '' : kilograms(one.weight_kg, lang)) },
    { key: 'order', head: t('weigh.order'), align: 'end', cell: (one) => digitsIn(lang, String(one.order_id ?? '')) },
    { key: 'customer', head: t('weigh.customer'), cell: (one) => one.customer },
  ]
  return (
    <section>
      <h2 className="mb-2 text-lg">{t('weigh.due-title')}</h2>
      <DataTable
        label={t('weigh.due-title')}
        rows={due}
        columns={columns}
        rowKey={(one) => one.id}
        rowHref={(one) => `?animal=${one.id}`}
        empty={t('weigh.due-empty')}
      />
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

const kilograms = (kg: number, lang: Lang) => formatKg(Math.round(kg * 1000), lang)
