const PETALS = [0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330]

/** An alpona floor flower in one thin line, as drawn with rice paste. Colour and size come from `className`. */
export function Alpona({ className = '' }: { className?: string }) {
  return (
    <svg
      viewBox="-100 -100 200 200"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      aria-hidden="true"
      focusable="false"
      className={className}
    >
      <circle r="9" />
      <circle r="44" strokeDasharray="1 5" strokeLinecap="round" strokeWidth="2.6" />
      <circle r="97" strokeDasharray="1 7" strokeLinecap="round" strokeWidth="2.6" />
      {PETALS.map((angle) => (
        <g key={angle} transform={`rotate(${angle})`}>
          <path d="M0-14C-7-24-6-33 0-39 6-33 7-24 0-14Z" />
          <path d="M0-49C-15-62-13-80 0-91 13-80 15-62 0-49ZM0-57V-78" />
        </g>
      ))}
    </svg>
  )
}

/** A row of leaves in the same line, as a border under a heading. */
export function AlponaHem({ className = '' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 120 12"
      width="120"
      height="12"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      aria-hidden="true"
      focusable="false"
      className={className}
    >
      {[6, 30, 54, 78, 102].map((x) => (
        <path key={x} d={`M${x} 6c4-6 10-6 14 0-4 6-10 6-14 0Zm19 0h.1`} />
      ))}
    </svg>
  )
}
