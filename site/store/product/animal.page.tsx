import { ButtonLink } from '#components/button.tsx'
import { Picture } from '#components/picture.tsx'
import type { Particular } from '#features/catalog/products/particulars.server.ts'
import type { HealthRecordJson, ProductDetailJson } from '#features/catalog/types.ts'
import { WeighIns } from '#features/catalog/ui/weigh-chart.tsx'
import { formatKg, toMilli } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'

export interface Props {
  animal: Pick<ProductDetailJson, 'id' | 'product_type' | 'tag_number' | 'picture' | 'weight_kg' | 'weigh_ins'>
  particulars: Particular[]
  health: HealthRecordJson[]
  /** Whether the shop shows the animal. */
  isShown: boolean
}

/** The public card of an animal, sold or not. The QR codes on its tag and its print views open it. */
export function Page({ animal, particulars, health, isShown }: Props) {
  const { t, lang } = useI18n()
  const details = [...particulars]
  if (animal.weight_kg !== null) details.push([t('product.weight'), formatKg(toMilli(animal.weight_kg), lang)])
  return (
    <StoreLayout>
      <article className="mx-auto max-w-3xl px-4 py-8">
        <p className="text-stone">{t('animal.heading')}</p>
        <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="text-3xl">{animal.product_type}</h1>
          <span className="ear-tag -rotate-2 text-2xl">{animal.tag_number}</span>
        </div>
        <p className="mt-1 text-sm text-stone">{t('animal.compare')}</p>
        <div className="mt-5 grid items-start gap-6 sm:grid-cols-2">
          {animal.picture ? (
            <Picture picture={animal.picture} alt={animal.product_type} sizes="(min-width: 40rem) 22rem, 100vw" className="rounded-card" />
          ) : null}
          <dl className="grid grid-cols-[auto_1fr] gap-x-5 border-t border-line">
            {details.map(([name, value]) => (
              <div key={name} className="col-span-2 grid grid-cols-subgrid border-b border-line py-2">
                <dt className="text-stone">{name}</dt>
                <dd className="font-semibold">{value}</dd>
              </div>
            ))}
          </dl>
        </div>
        <section className="mt-8">
          <h2 className="text-xl">{t('product.weigh-ins')}</h2>
          <WeighIns weighIns={animal.weigh_ins} />
        </section>
        <section className="mt-8">
          <h2 className="text-xl">{t('animal.health')}</h2>
          {health.length === 0 ? <p className="mt-2 text-stone">{t('animal.no-health')}</p> : <Health records={health} />}
        </section>
        {isShown ? (
          <ButtonLink href={`/product/${animal.id}`} className="mt-8">
            {t('animal.buy')}
          </ButtonLink>
        ) : null}
      </article>
    </StoreLayout>
  )
}

function Health({ records }: { records: HealthRecordJson[] }) {
  const { t, lang } = useI18n()
  return (
    <ul className="mt-2 divide-y divide-line border-y border-line">
      {records.map((record, index) => (
        <li key={index} className="grid gap-x-4 py-2.5 sm:grid-cols-[7rem_9rem_1fr]">
          <span className="tabular-nums text-stone">{formatDay(record.on_day, lang)}</span>
          <span className="font-semibold">{t(`animal.health.${record.kind}`)}</span>
          <span>
            {record.what}
            {record.vet ? <span className="block text-sm text-stone">{t('animal.vet', { vet: record.vet })}</span> : null}
            {record.picture_url ? (
              <a href={record.picture_url} className="block text-sm underline underline-offset-4">
                {t('animal.document')}
              </a>
            ) : null}
          </span>
        </li>
      ))}
    </ul>
  )
}
