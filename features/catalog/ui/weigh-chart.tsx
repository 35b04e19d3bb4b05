import { formatKg, formatNumber, toMilli } from '#lib/format/numbers.ts'
import { daysBetween, formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import type { WeighInJson } from '../types.ts'

const WIDTH = 320
const HEIGHT = 132
const PAD = { left: 14, right: 14, top: 26, bottom: 20 }

const grams = (weighIn: WeighInJson) => toMilli(weighIn.weight_kg)

/** The points of the chart: days on the x axis, weight from zero on the y axis, so that a gain of 4 % looks like 4 %. */
export function chartPoints(weighIns: WeighInJson[]): { x: number; y: number }[] {
  const days = weighIns.map((one) => daysBetween(weighIns[0]!.weighed_on, one.weighed_on))
  const weights = weighIns.map((one) => one.weight_kg)
  const [firstDay, lastDay] = [Math.min(...days), Math.max(...days)]
  const max = Math.max(...weights)
  const across = WIDTH - PAD.left - PAD.right
  const up = HEIGHT - PAD.top - PAD.bottom
  return weighIns.map((one, index) => ({
    x: PAD.left + (lastDay === firstDay ? 0.5 : ((days[index] ?? 0) - firstDay) / (lastDay - firstDay)) * across,
    y: PAD.top + ((max - one.weight_kg) / max) * up,
  }))
}

/** The weigh-ins of an animal as a line chart and a table with day, method and weigher. */
export function WeighIns({ weighIns }: { weighIns: WeighInJson[] }) {
  const { t, lang } = useI18n()
  const [first, last] = [weighIns[0], weighIns.at(-1)]
  if (!first || !last) return null
  return (
    <div>
      {weighIns.length > 1 ? <Chart weighIns={weighIns} first={first} last={last} /> : null}
      <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={t('product.weigh-ins')}>
        <table className="tabular-nums mt-2 w-full text-sm">
          <thead>
            <tr className="border-b border-line text-start text-stone">
              <th scope="col" className="py-1.5 pe-3 text-start">
                {t('product.weighed-day')}
              </th>
              <th scope="col" className="py-1.5 pe-3 text-end">
                {t('product.weighed-kg')}
              </th>
              <th scope="col" className="py-1.5 pe-3 text-end">
                {t('product.gain')}
              </th>
              <th scope="col" className="py-1.5 pe-3 text-start">
                {t('product.weighed-how')}
              </th>
              <th scope="col" className="py-1.5 text-start">
                {t('product.weighed-who')}
              </th>
            </tr>
          </thead>
          <tbody>
            {weighIns
              .map((one, index) => ({ one, before: weighIns[index - 1] }))
              .reverse()
              .map(({ one, before }, index) => (
                <tr key={`${one.weighed_on} ${index}`} className="border-b border-line/70 last:border-0">
                  <td className="py-1.5 pe-3 whitespace-nowrap">{formatDay(one.weighed_on, lang)}</td>
                  <td className="py-1.5 pe-3 text-end font-semibold whitespace-nowrap">{formatKg(grams(one), lang)}</td>
                  <td className="py-1.5 pe-3 text-end whitespace-nowrap">{before ? signed(grams(one) - grams(before)) : ''}</td>
                  <td className="py-1.5 pe-3">{t(`product.method.${one.method}`)}</td>
                  <td className="py-1.5">{one.weighed_by}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </div>
  )

  function signed(change: number): string {
    return (change > 0 ? '+' : '') + formatNumber(change / 1000, lang)
  }
}

function Chart({ weighIns, first, last }: { weighIns: WeighInJson[]; first: WeighInJson; last: WeighInJson }) {
  const { t, lang } = useI18n()
  const points = chartPoints(weighIns)
  const line = points.map(({ x, y }) => `${round(x)} ${round(y)}`).join(' L')
  const [start, end] = [points[0], points.at(-1)]
  if (!start || !end) return null
  const base = HEIGHT - PAD.bottom
  const label = t('product.weigh-chart', {
    from: formatDay(first.weighed_on, lang),
    to: formatDay(last.weighed_on, lang),
    first: formatKg(grams(first), lang),
    last: formatKg(grams(last), lang),
  })
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} className="tabular-nums w-full max-w-md text-leaf-600">
      <path d={`M${round(start.x)} ${base} L${line} L${round(end.x)} ${base}Z`} fill="currentColor" opacity=".12" />
      <path d={`M${PAD.left} ${base}H${WIDTH - PAD.right}`} stroke="var(--color-line)" />
      <path d={`M${line}`} fill="none" stroke="currentColor" strokeWidth="2.4" strokeLinejoin="round" strokeLinecap="round" />
      {points.map(({ x, y }, index) => (
        <circle
          key={index}
          cx={round(x)}
          cy={round(y)}
          r={index === points.length - 1 ? 5 : 3.2}
          fill={index === points.length - 1 ? 'var(--color-tag)' : 'var(--color-milk)'}
          stroke="currentColor"
          strokeWidth="2"
        />
      ))}
      <g fill="var(--color-ink)" fontSize="11.500">
        <text x={round(end.x + 6)} y={round(end.y - 10)} textAnchor="end" fontWeight="600">
          {formatKg(grams(last), lang)}
        </text>
      </g>
      <g fill="var(--color-stone)" fontSize="10.500">
        <text x={PAD.left - 6} y={HEIGHT - 5}>{`${formatDay(first.weighed_on, lang)} · ${formatKg(grams(first), lang)}`}</text>
        <text x={WIDTH - PAD.right + 6} y={HEIGHT - 5} textAnchor="end">
          {formatDay(last.weighed_on, lang)}
        </text>
      </g>
    </svg>
  )
}

const round = (value: number) => Math.round(value * 10) / 10
