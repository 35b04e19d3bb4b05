import type { ScaleAnimal } from '#features/cattle/queries.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { localizeDigits, formatKg, toMilli } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

/** An animal with its tag, picture and latest weight. */
export function AnimalLine({ animal }: { animal: ScaleAnimal }) {
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

/** The animal for staff without the permission to weigh, with the order that holds it. */
export function AnimalCard({ animal }: { animal: ScaleAnimal }) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const { order_id: order } = animal
  return (
    <section className="admin-card p-4">
      <AnimalLine animal={animal} />
      {order !== null && can('orders.read') ? (
        <a href={`/admin/orders/update/${order}`} className="mt-2 block w-fit py-2 underline underline-offset-4">
          {t('weigh.booked', { order: localizeDigits(lang, String(order)) })}
        </a>
      ) : null}
    </section>
  )
}

export const kilograms = (kg: number, lang: Lang) => formatKg(toMilli(kg), lang)
