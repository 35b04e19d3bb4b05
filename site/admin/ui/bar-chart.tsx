interface Bar {
  key: string
  /** Under the bar; empty where there is no room for all. */
  label: string
  value: number
  /** What the bar says when it is pointed at. */
  title: string
}

/** Few bars are drawn narrower, so that their words stay readable on a phone. */
const WIDTHS = { few: 380, many: 640 }
const FEW = 16
const HEIGHT = 180
const FLOOR = 156

/** Bars of one measure; their figures stand in the table beside it. */
export function BarChart({ label, bars }: { label: string; bars: Bar[] }) {
  const most = Math.max(...bars.map(({ value }) => value), 1)
  const width = bars.length <= FEW ? WIDTHS.few : WIDTHS.many
  const step = width / Math.max(bars.length, 1)
  const every = Math.ceil(bars.length / (bars.length <= FEW ? 5 : 8))
  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label} className="h-auto w-full">
      {[0.25, 0.5, 0.75, 1].map((part) => (
        <line
          key={part}
          x1="0"
          x2={width}
          y1={FLOOR - part * (FLOOR - 8)}
          y2={FLOOR - part * (FLOOR - 8)}
          stroke="var(--color-line)"
          strokeDasharray="2 5"
        />
      ))}
      {bars.map(({ key, label: text, value, title }, index) => {
        const height = (value / most) * (FLOOR - 8)
        return (
          <g key={key}>
            <rect x={index * step} y="0" width={step} height={FLOOR} fill="transparent" />
            <rect
              x={index * step + step * 0.14}
              y={FLOOR - height}
              width={step * 0.72}
              height={height}
              rx={Math.min(3, step / 4)}
              fill="var(--color-leaf-600)"
            />
            <title>{title}</title>
            {index % every === 0 ? (
              <text
                x={index * step + step / 2}
                y={HEIGHT - 6}
                textAnchor={index === 0 && step < 40 ? 'start' : 'middle'}
                fontSize="11"
                fill="var(--color-stone)"
              >
                {text}
              </text>
            ) : null}
          </g>
        )
      })}
      <line x1="0" x2={width} y1={FLOOR} y2={FLOOR} stroke="var(--color-stone)" strokeOpacity="0.5" />
    </svg>
  )
}
