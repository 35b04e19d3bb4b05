// What is still missing before the order can be placed, and the way to it.

/** Where what is missing can be done, as a selector. */
const TARGETS: Record<string, string> = {
  'place.needs-terms': '#terms',
  'place.needs-payment': 'input[name=payment]:enabled',
  'place.needs-amount': '#part',
}

/** What is still missing: its text, and where it can be done. */
export interface MissingStep {
  text: string
  target: string | null
}

/** The step that a blocker names, as text. */
export function missingStep(blocker: string | null, text: string): MissingStep | null {
  return blocker === null ? null : { text, target: TARGETS[blocker] ?? null }
}

/** A button that cannot be pressed says why, and leads to what is missing. */
export function Missing({ missing }: { missing: MissingStep | null }) {
  const target = missing?.target ?? null
  const go = () => {
    const element = target === null ? null : document.querySelector<HTMLElement>(target)
    element?.scrollIntoView({ block: 'center' })
    element?.focus({ preventScroll: true })
  }
  return (
    <div role="status" className="mt-3 min-h-6 text-sm text-stone">
      {target === null ? (
        missing?.text
      ) : (
        <button type="button" onClick={go} className="min-h-6 text-start underline underline-offset-4">
          {missing?.text}
        </button>
      )}
    </div>
  )
}
