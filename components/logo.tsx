/** One half of a bull's head from the front; the other is its mirror image. */
const HALF_HEAD =
  'M49 41C43 40 38 41 35 44C22 45 13 34 16 17C8 30 10 43 21 50C14 51 8 55 4 61C12 67 25 66 33 59C34 68 38 74 39 80C40 88 45 90 50 90H50.4V41Z'

/** The shop's logo: a yellow ear tag with a bull's head, as in public/logo.svg. */
export function TagMark({ size = 36 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 100 100" aria-hidden="true" focusable="false">
      <g transform="rotate(-6 50 50)">
        <path
          d="M36 14L44 5Q50 -1 56 5L64 14H80Q92 14 92 26V84Q92 96 80 96H20Q8 96 8 84V26Q8 14 20 14ZM50 9A5.4 5.4 0 1 0 50 19.8A5.4 5.4 0 1 0 50 9Z"
          fill="#F6C51B"
          fillRule="evenodd"
        />
        <g transform="translate(9 17.5) scale(.82)" fill="#16452C">
          <path d={HALF_HEAD} />
          <path d={HALF_HEAD} transform="matrix(-1 0 0 1 100 0)" />
        </g>
      </g>
    </svg>
  )
}
