interface Bar {
  key: string
  label: string
  value: number
  /** What the bar says when it is pointed at. */
  title: string
}

interface BarChartProps {
  label: string
  bars: Bar[]
  /** The largest value in words, at the line that its bar reaches. */
  top: string
}

const FEW = 16

/** Bars of one measure; their figures stand in the table beside it. The words keep their size however narrow the screen is. */
export function BarChart({ label, bars, top }: BarChartProps) {
  const most = Math.max(...bars.map(({ value }) => value), 1)
  const every = Math.ceil(bars.length / (bars.length <= FEW ? 5 : 8))
  return (
    <div role="img" aria-label={`${label}: ${top}`}>
      <p className="figures text-end text-xs text-stone">{top}</p>
      <div className="bar-lines flex h-40 border-b border-stone/50 sm:h-60">
        {bars.map(({ key, value, title }) => (
          <span key={key} title={title} className="flex h-full min-w-0 flex-1 items-end justify-center">
            <span className="w-[72%] rounded-t-[3px] bg-leaf-600" style={{ height: `${(value / most) * 100}%` }} />
          </span>
        ))}
      </div>
      <div className="flex text-xs text-stone">
        {bars.map(({ key, label: text }, index) =>
          index % every === 0 ? (
            // Every second one only where the screen is narrow, the last never beyond the edge.
            <span
              key={key}
              className={`min-w-0 shrink-0 whitespace-nowrap ${index % (every * 2) === 0 ? '' : 'max-sm:invisible'}`}
              style={{ width: `${(Math.min(every, bars.length - index) / bars.length) * 100}%` }}
            >
              {text}
            </span>
          ) : null,
        )}
      </div>
    </div>
  )
}
