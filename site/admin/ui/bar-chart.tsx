interface Bar {
  key: string
  label: string
  value: number
  /** Tooltip of the bar. */
  title: string
}

interface BarChartProps {
  label: string
  bars: Bar[]
  /** The largest value in words, at the line that its bar reaches. */
  top: string
}

const FEW = 16

/** A bar chart of one measure; a value below zero has no bar. The table beside it has the numbers; text has the same size on every screen. */
export function BarChart({ label, bars, top }: BarChartProps) {
  const max = Math.max(...bars.map(({ value }) => value), 1)
  const every = Math.ceil(bars.length / (bars.length <= FEW ? 5 : 8))
  return (
    <div role="img" aria-label={`${label}: ${top}`}>
      <p className="tabular-nums text-end text-xs text-stone">{top}</p>
      <div className="bar-lines flex h-40 border-b border-stone/50 sm:h-60">
        {bars.map(({ key, value, title }) => (
          <span key={key} title={title} className="flex h-full min-w-0 flex-1 items-end justify-center">
            <span
              className="w-[72%] rounded-t-[3px] bg-leaf-600 forced-colors:bg-[CanvasText]"
              style={{ height: `${(Math.max(value, 0) / max) * 100}%` }}
            />
          </span>
        ))}
      </div>
      <div className="flex text-xs text-stone">
        {bars.map(({ key, label: text }, index) =>
          index % every === 0 ? (
            // Every second one only where the screen is narrow, the last never beyond the edge.
            <span
              key={key}
              className={`min-w-0 shrink-0 whitespace-nowrap ${index % (every * 2) === 0 ? '' : 'max-sm:invisible max-sm:overflow-hidden'}`}
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
