import './labels.css'
import { useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { CONTROL, SelectField, TextField } from '#components/field.tsx'
import { countsOf, LABEL_SIZES, labelsOnPage, layLabels, MAX_COPIES } from '#features/catalog/labels/label-rules.ts'
import type { LabelledProduct } from '#features/catalog/labels/labelled-products.server.ts'
import { localizeDigits, latinDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { LabelSheet } from './label-sheet.tsx'
import { usePageSize } from './use-page-size.ts'
import { PrintPreview } from '../print/print-preview.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  goods: LabelledProduct[]
}

/** Print view of labels, with the options for size and number. */
export function Page({ goods }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [sizeKey, setSizeKey] = useState<string>(goods.length > 0 && goods.every((one) => one.is_animal) ? 'card' : 'a4-24')
  const [typed, setTyped] = useState(() => goods.map(() => '1'))
  const [used, setUsed] = useState('0')
  const size = LABEL_SIZES.find(({ key }) => key === sizeKey) ?? LABEL_SIZES[0]!
  const counts = countsOf(typed.map(latinDigits))
  const pages = layLabels(counts, size, Number(latinDigits(used)) || 0)
  const bare = goods.filter(({ barcode }) => barcode === null)
  const figure = (value: number) => localizeDigits(lang, String(value))
  usePageSize(size)
  const toProducts = { href: '/admin/products', label: t('labels.to-products') }
  if (goods.length === 0)
    return (
      <PrintPreview printsImmediately={false} parent={toProducts}>
        <h1 className="p-6 pb-0 text-2xl">{t('labels.title')}</h1>
        <p className="p-6">{t('labels.empty')}</p>
      </PrintPreview>
    )
  const all = counts.reduce((sum, count) => sum + count, 0)
  return (
    <PrintPreview
      printsImmediately={false}
      parent={toProducts}
      note={t('labels.pages', { labels: figure(all), pages: figure(pages.length) })}
    >
      <section className="mx-auto max-w-4xl space-y-4 p-4 print:hidden">
        <h1 className="text-2xl">{t('labels.title')}</h1>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <SelectField label={t('labels.size')} value={sizeKey} onChange={({ target }) => setSizeKey(target.value)}>
            {LABEL_SIZES.map(({ key }) => (
              <option key={key} value={key}>
                {t(`labels.size.${key}`)}
              </option>
            ))}
          </SelectField>
          {labelsOnPage(size) > 1 ? (
            <TextField
              label={t('labels.used')}
              inputMode="numeric"
              autoComplete="off"
              maxLength={String(labelsOnPage(size)).length}
              value={used}
              onChange={({ target }) => setUsed(target.value)}
            />
          ) : null}
        </div>
        <ul className="divide-y divide-line rounded-card border border-line bg-milk">
          {goods.map((one, at) => {
            const name = lang === 'bn' ? one.name_bn : one.name_en
            return (
              <li key={one.id} className="flex items-center gap-3 p-3">
                <span className="min-w-0 grow">
                  <span className="block font-semibold break-words">{name}</span>
                  <span className="tabular-nums text-sm text-stone">{one.barcode?.text ?? t('labels.no-code')}</span>
                </span>
                <input
                  aria-label={t('labels.count-of', { name })}
                  inputMode="numeric"
                  autoComplete="off"
                  maxLength={String(MAX_COPIES).length}
                  className={`${CONTROL} tabular-nums !w-20 text-center`}
                  value={typed[at]}
                  onChange={({ target }) => setTyped(typed.map((text, place) => (place === at ? target.value : text)))}
                />
              </li>
            )
          })}
        </ul>
        <div className="flex flex-wrap items-center gap-3">
          {bare.length > 0 && can('catalog.write') ? <Assign ids={bare.map(({ id }) => id)} /> : null}
          <ButtonLink kind="quiet" href="/admin/products">
            {t('labels.to-products')}
          </ButtonLink>
        </div>
      </section>
      {pages.map((places, page) => (
        <LabelSheet key={page} size={size} places={places.map((at) => (at === null ? null : (goods[at] ?? null)))} />
      ))}
    </PrintPreview>
  )
}

/** Gives barcodes to those that have none, and draws them. */
function Assign({ ids }: { ids: number[] }) {
  const { t, lang } = useI18n()
  const [busy, setBusy] = useState(false)
  async function assign() {
    setBusy(true)
    const written = await adminPost('/admin/labels/barcodes', { ids })
    setBusy(false)
    if (!written.ok) return showFailure(written, t)
    location.reload()
  }
  return (
    <>
      <Button busy={busy} onClick={() => void assign()}>
        {t('labels.assign', { count: localizeDigits(lang, String(ids.length)) })}
      </Button>
      <span className="text-sm text-stone">{t('labels.assign-hint')}</span>
    </>
  )
}
