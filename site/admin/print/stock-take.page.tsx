import type { Take, TakeRow, TakeSummary } from '#features/stock-takes/queries.server.ts'
import { formatTaka, poisha } from '#lib/format/money.ts'
import { formatQuantity, localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { signed, TakeState, useReasonName, useTakeScope } from '../stock-takes/take-state.tsx'
import { PrintPreview } from './print-preview.tsx'

export interface Props {
  take: Take
  counted: TakeRow[]
  /** Products to count, with an empty field to write in. */
  open: TakeRow[]
  summary: TakeSummary
  printsImmediately: boolean
}

/** Print view of a stock take on A4: what was counted, and what is still to be counted. */
export function Page({ take, counted, open, summary, printsImmediately }: Props) {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  const scopeOf = useTakeScope()
  const title = t('stock-take.title', { id: localizeDigits(lang, String(take.id)) })
  return (
    <PrintPreview printsImmediately={printsImmediately} parent={{ href: `/admin/stock-takes/${take.id}`, label: title }}>
      <article className="mx-auto my-6 max-w-[190mm] bg-white p-[12mm] shadow-soft max-sm:p-4 print:m-0 print:p-0 print:shadow-none">
        <header className="mb-4 flex flex-wrap justify-between gap-4">
          <div>
            <p className="text-lg font-semibold">{shop.name}</p>
            <p>{scopeOf(take)}</p>
            {take.note ? <p className="break-words">{take.note}</p> : null}
          </div>
          <div className="text-end max-sm:text-start">
            <h1 className="text-lg font-semibold">{title}</h1>
            <p>{t('stock-take.started-by', { name: take.started_by, when: formatDateTime(new Date(take.started_at), lang) })}</p>
            <TakeState state={take.state} />
          </div>
        </header>
        {counted.length > 0 ? <Counted rows={counted} summary={summary} /> : null}
        {open.length > 0 ? <ToCount rows={open} /> : null}
        {counted.length + open.length === 0 ? <p>{t('stock-take.empty.counted')}</p> : null}
      </article>
    </PrintPreview>
  )
}

const CELL = 'border-b border-line py-1 pe-2 align-top'

function Counted({ rows, summary }: { rows: TakeRow[]; summary: TakeSummary }) {
  const { t, lang } = useI18n()
  const reasonName = useReasonName()
  return (
    <table className="tabular-nums w-full border-collapse text-sm max-sm:text-xs">
      <caption className="mb-1 text-start font-semibold">{t('stock-take.list.counted')}</caption>
      <thead>
        <tr className="text-start">
          <th className={`${CELL} text-start`}>{t('stock-take.product')}</th>
          <th className={`${CELL} text-end`}>{t('stock-take.expected')}</th>
          <th className={`${CELL} text-end`}>{t('stock-take.counted')}</th>
          <th className={`${CELL} text-end`}>{t('stock-take.difference')}</th>
          <th className={`${CELL} text-start`}>{t('stock-take.reason')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          if (!row.line) return null
          const { expected_milli: expected, counted_milli: counted, reason } = row.line
          return (
            <tr key={row.id} className="break-inside-avoid">
              <td className={`${CELL} break-words`}>
                <Name row={row} />
              </td>
              <td className={`${CELL} text-end`}>{formatQuantity(expected, row.unit, lang)}</td>
              <td className={`${CELL} text-end`}>{formatQuantity(counted, row.unit, lang)}</td>
              <td className={`${CELL} text-end font-semibold`}>{signed(counted - expected, lang)}</td>
              <td className={CELL}>{counted === expected ? '' : reasonName(reason, row.is_unique)}</td>
            </tr>
          )
        })}
      </tbody>
      <tfoot>
        <tr>
          <td className="py-2 font-semibold" colSpan={3}>
            {t('stock-take.value')}
          </td>
          <td className="py-2 text-end font-semibold" colSpan={2}>
            {formatTaka(poisha(summary.missing_poisha + summary.surplus_poisha), lang)}
          </td>
        </tr>
      </tfoot>
    </table>
  )
}

/** A list to write on, without the expected quantity. */
function ToCount({ rows }: { rows: TakeRow[] }) {
  const { t } = useI18n()
  return (
    <table className="mt-6 w-full border-collapse text-sm">
      <caption className="mb-1 text-start font-semibold">{t('stock-take.list.open')}</caption>
      <thead>
        <tr>
          <th className={`${CELL} text-start`}>{t('stock-take.product')}</th>
          <th className={`${CELL} w-40 text-start`}>{t('stock-take.counted')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="break-inside-avoid">
            <td className={`${CELL} break-words`}>
              <Name row={row} />
            </td>
            <td className={`${CELL} text-end text-stone`}>{t(`stock-take.unit.${row.unit}`)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Name({ row }: { row: TakeRow }) {
  const { lang } = useI18n()
  const code = row.tag_number ?? row.barcode
  return (
    <>
      {lang === 'bn' ? row.name_bn : row.name_en}
      {code ? <span className={`text-stone ${row.tag_number === null ? '' : 'whitespace-nowrap'}`}> · {code}</span> : null}
    </>
  )
}
