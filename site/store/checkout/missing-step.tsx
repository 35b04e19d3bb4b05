// The next input that is missing before the order can be placed.

/** The field of a missing input, as a selector. */
const TARGETS: Record<string, string> = {
  // The button beside the items that leads back to the cart.
  'place.needs-available': 'section .btn',
  'place.needs-terms': '#terms',
  'place.needs-payment': 'input[name=payment]:enabled',
  'place.needs-amount': '#part',
}

/** A missing input: its text, and the selector of its field. */
export interface MissingStep {
  text: string
  target: string | null
}

/** The missing input of a blocker; null without one. */
export function missingStep<Key extends string>(blocker: Key | null, t: (key: Key) => string): MissingStep | null {
  return blocker === null ? null : { text: t(blocker), target: TARGETS[blocker] ?? null }
}

/** Explains a disabled button and links to the missing input. */
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
