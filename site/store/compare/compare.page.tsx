import '#messages/compare.ts'
import { type ReactNode, useEffect } from 'react'
import { ButtonLink } from '#components/button.tsx'
import { CloseIcon } from '#components/icons.tsx'
import { Picture } from '#components/picture.tsx'
import { AddToCartButton } from '#features/cart/ui/add-button.tsx'
import { comparePath, parseCompared, withoutGone } from '#features/catalog/compare-rules.ts'
import { productHref } from '#features/catalog/product-href.ts'
import type { Particular } from '#features/catalog/products/particulars.server.ts'
import type { HealthRecordJson, ProductDetailJson, WeighInJson } from '#features/catalog/types.ts'
import { EarTag } from '#features/catalog/ui/ear-tag.tsx'
import { useStatusRefresh } from '#features/catalog/ui/use-status-refresh.ts'
import { isOrderable } from '#features/catalog/rules.ts'
import { Price } from '#features/pricing/ui/price.tsx'
import { formatKg, toMilli } from '#lib/format/numbers.ts'
import { daysBetween, formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'
import { StatusLine } from '../product/status-line.tsx'
import { readCompared, writeCompared } from './compare-store.ts'

export interface ComparedAnimal {
  product: ProductDetailJson
  particulars: Particular[]
  health: HealthRecordJson[]
}

export interface Props {
  animals: ComparedAnimal[]
  /** An animal of the URL is not in the shop. */
  isIncomplete: boolean
}

/** Up to three animals side by side. On a phone each property has its name above the values, so that three columns fit. */
export function Page({ animals: loaded, isIncomplete }: Props) {
  const { t } = useI18n()
  const { products, news } = useStatusRefresh(loaded.map(({ product }) => product))
  useEffect(() => {
    if (!isIncomplete) return
    const requested = parseCompared(new URLSearchParams(location.search).get('ids'))
    const shown = loaded.map(({ product }) => product.id)
    writeCompared(withoutGone(readCompared(), requested, shown))
  }, [isIncomplete, loaded])
  const animals = loaded.map((animal, at) => ({ ...animal, product: products[at]! }))
  return (
    <StoreLayout>
      <div className="mx-auto max-w-6xl px-4 pt-6">
        <h1 className="text-3xl">{t('compare.title')}</h1>
        {isIncomplete ? (
          <p role="status" className="stitch mt-3 rounded-card bg-tag-100 px-3 py-2">
            {t('compare.gone')}
          </p>
        ) : null}
        {animals.length === 0 ? <Nothing /> : <Comparison animals={animals} />}
        {animals.length === 1 ? (
          <div className="mt-4">
            <p>{t('compare.one')}</p>
            <Lists />
          </div>
        ) : null}
      </div>
      <p className="sr-only" role="status">
        {news}
      </p>
    </StoreLayout>
  )
}

function Nothing() {
  const { t } = useI18n()
  return (
    <div className="stitch mt-4 rounded-card bg-milk p-8 text-center text-leaf-600/60">
      <div className="text-ink">
        <p className="text-xl font-semibold">{t('compare.empty')}</p>
        <p className="mx-auto mt-1 max-w-[42ch] text-stone">{t('compare.empty-text')}</p>
        <Lists />
      </div>
    </div>
  )
}

function Lists() {
  const { t } = useI18n()
  return (
    <p className="mt-4 inline-flex flex-wrap justify-center gap-2">
      <ButtonLink kind="secondary" href="/beef">
        {t('compare.beef')}
      </ButtonLink>
      <ButtonLink kind="secondary" href="/kurbani">
        {t('compare.kurbani')}
      </ButtonLink>
    </p>
  )
}

type Row = [label: string, cell: (animal: ComparedAnimal) => ReactNode]

function Comparison({ animals }: { animals: ComparedAnimal[] }) {
  const { t, lang } = useI18n()
  const labels = [...new Set(animals.flatMap(({ particulars }) => particulars.map(([label]) => label)))]
  const rows: Row[] = [
    [t('compare.status'), ({ product }) => <StatusLine product={{ ...product, delivery_date: null }} loading={false} />],
    [t('compare.price'), ({ product }) => <Price product={product} />],
    [t('product.weight'), (animal) => <Weight {...animal} />],
    [t('compare.gain'), ({ product }) => <Gain weighIns={product.weigh_ins} />],
    ...labels.map((label): Row => [label, ({ particulars }) => particulars.find(([name]) => name === label)?.[1]]),
    [t('animal.health'), (animal) => (animal.health.length > 0 ? <Health {...animal} /> : null)],
    [t('product.delivery-date'), ({ product: { delivery_date: day, status } }) => day && status !== 'sold' && formatDay(day, lang)],
  ]
  const ids = animals.map(({ product }) => product.id)
  return (
    <div role="table" aria-label={t('compare.title')} className="compare-table mt-4" style={{ '--animals': animals.length } as object}>
      <div role="row" className="compare-row">
        <span role="columnheader" className="compare-label max-sm:sr-only">
          {t('compare.animal')}
        </span>
        {animals.map(({ product }) => (
          <Head key={product.id} product={product} rest={ids.filter((id) => id !== product.id)} />
        ))}
      </div>
      {rows.map(([label, cell]) => (
        <div role="row" key={label} className="compare-row border-t border-line">
          <span role="rowheader" className="compare-label">
            {label}
          </span>
          {animals.map((animal) => (
            <div role="cell" key={animal.product.id} className="min-w-0 text-sm wrap-anywhere sm:text-base">
              {cell(animal) || <span className="text-stone">—</span>}
            </div>
          ))}
        </div>
      ))}
      <div role="row" className="compare-row border-t border-line">
        <span role="rowheader" className="compare-label max-sm:sr-only">
          {t('shell.cart')}
        </span>
        {animals.map(({ product }) => (
          <div role="cell" key={product.id} className="min-w-0">
            {isOrderable(product.status) ? (
              <AddToCartButton product={product} />
            ) : (
              <ButtonLink kind="secondary" full href={productHref(product)}>
                {t('catalog.details')}
              </ButtonLink>
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

/** Picture, tag and name of an animal, and the link that removes it. */
function Head({ product, rest }: { product: ProductDetailJson; rest: number[] }) {
  const { t } = useI18n()
  return (
    <div role="columnheader" className="min-w-0">
      <div className="relative aspect-4/3 overflow-hidden rounded-card bg-sand">
        {product.picture ? <Picture picture={product.picture} alt="" sizes="(min-width: 64rem) 18rem, 33vw" first light /> : null}
        {product.tag_number ? <EarTag number={product.tag_number} className="absolute start-1 top-1 text-xs sm:text-sm" /> : null}
      </div>
      <a href={productHref(product)} className="mt-2 block font-semibold wrap-anywhere underline-offset-4 hover:underline">
        {product.product_type}
      </a>
      <a
        href={comparePath(rest)}
        onClick={() => writeCompared(rest)}
        aria-label={t('compare.remove-named', { name: product.product_type })}
        className="inline-flex min-h-11 items-center gap-1 text-sm text-leaf-600 underline underline-offset-4"
      >
        <CloseIcon size={14} className="shrink-0" />
        {t('compare.remove')}
      </a>
    </div>
  )
}

function Weight({ product }: ComparedAnimal) {
  const { t, lang } = useI18n()
  if (product.weight_kg === null) return null
  return (
    <>
      <b className="tabular-nums">{formatKg(toMilli(product.weight_kg), lang)}</b>
      {product.weighed_on ? (
        <span className="block text-sm text-stone">{t('catalog.weighed-on', { day: formatDay(product.weighed_on, lang) })}</span>
      ) : null}
    </>
  )
}

/** The change of weight between the first and the last weigh-in. */
function Gain({ weighIns }: { weighIns: WeighInJson[] }) {
  const { t, lang } = useI18n()
  const [first, last] = [weighIns[0], weighIns.at(-1)]
  const days = first && last ? daysBetween(first.weighed_on, last.weighed_on) : 0
  if (!first || !last || days === 0) return <span className="text-stone">—</span>
  const grams = toMilli(last.weight_kg - first.weight_kg)
  return t('compare.gain-value', { change: `${grams > 0 ? '+' : ''}${formatKg(grams, lang)}`, days })
}

const MAX_HEALTH = 3

function Health({ health }: ComparedAnimal) {
  const { lang } = useI18n()
  return (
    <ul className="space-y-1">
      {health.slice(0, MAX_HEALTH).map(({ what, on_day: day }) => (
        <li key={`${day} ${what}`}>
          {what} <span className="block text-sm text-stone">{formatDay(day, lang)}</span>
        </li>
      ))}
    </ul>
  )
}
