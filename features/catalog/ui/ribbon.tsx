const KINDS = {
  'pre-order': 'bg-indigo text-white',
  'sold-out': 'bg-stone text-white',
  'on-hold': 'bg-mango text-ink',
}

/** A diagonal ribbon across a corner of the picture. The parent must be `relative` with hidden overflow. */
export function Ribbon({ kind, text }: { kind: keyof typeof KINDS; text: string }) {
  return (
    <span
      className={`pointer-events-none absolute -end-11 top-5 w-40 rotate-45 py-0.5 text-center text-xs font-semibold shadow-soft ${KINDS[kind]}`}
    >
      <span className="inline-block first-letter:uppercase">{text}</span>
    </span>
  )
}
