/** The shop's sign: a yellow ear tag with its hole and an alpona sprig. */
export function TagMark({ size = 36 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 48 48" aria-hidden="true" focusable="false">
      <g transform="rotate(-7 24 24)">
        <path d="M17 4h14a4 4 0 0 1 4 4v5l5 7v18a6 6 0 0 1-6 6H14a6 6 0 0 1-6-6V20l5-7V8a4 4 0 0 1 4-4Z" fill="#F6C51B" />
        <circle cx="24" cy="11" r="3.4" fill="#FBF8F1" stroke="#1C2A20" strokeOpacity=".55" strokeWidth="1.4" />
        <path d="M24 38V24m0 8c-4.500 0-7-2.400-7.500-6.500 4.500 0 7 2.400 7.500 6.500Zm0-3c.3-4.500 2.600-7 7-7.500 0 4.500-2.500 7-7 7.500Z" fill="none" stroke="#16452C" strokeWidth="2.300" strokeLinecap="round" strokeLinejoin="round" />
      </g>
    </svg>
  )
}
