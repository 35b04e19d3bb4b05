const STARS = '★★★★★'

/** A rating from 0 to 5 as stars, filled to the tenth. `label` is read instead. */
export function Stars({ rating, label, className = '' }: { rating: number; label: string; className?: string }) {
  const share = `${rating * 20}%`
  return (
    <span className={`inline-block leading-none whitespace-nowrap ${className}`}>
      <span
        aria-hidden="true"
        // Forced colors would fill all five.
        className="bg-clip-text text-transparent forced-colors:forced-color-adjust-none forced-colors:[--color-line:GrayText] forced-colors:[--color-mango:CanvasText]"
        style={{ backgroundImage: `linear-gradient(90deg, var(--color-mango) ${share}, var(--color-line) ${share})` }}
      >
        {STARS}
      </span>
      <span className="sr-only">{label}</span>
    </span>
  )
}
