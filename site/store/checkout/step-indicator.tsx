import { CheckIcon } from '#components/icons.tsx'
import { CHECKOUT_STEPS, type CheckoutStep } from '#features/orders/checkout/checkout-rules.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

/** The current step; completed steps are links. */
export function StepIndicator({ step, onBack }: { step: CheckoutStep; onBack: (step: CheckoutStep) => void }) {
  const { t, lang } = useI18n()
  const at = CHECKOUT_STEPS.indexOf(step)
  return (
    <nav aria-label={t('cart.steps')}>
      <ol className="flex flex-wrap items-center gap-y-1">
        {CHECKOUT_STEPS.map((one, index) => (
          <li key={one} aria-current={index === at ? 'step' : undefined} className={`flex items-center ${index > 0 ? 'grow' : ''}`}>
            {index > 0 ? (
              <span
                aria-hidden="true"
                className={`mx-2 h-0.5 grow sm:mx-3 ${index <= at ? 'bg-leaf-600 forced-colors:bg-[CanvasText]' : 'bg-line'}`}
              />
            ) : null}
            <StepMark
              state={index < at ? 'done' : index === at ? 'now' : 'ahead'}
              number={localizeDigits(lang, String(index + 1))}
              name={t(`cart.step.${one}`)}
              onBack={() => onBack(one)}
            />
          </li>
        ))}
      </ol>
    </nav>
  )
}

const DISCS = {
  done: 'bg-leaf-600 text-white',
  now: 'bg-tag text-ink ring-2 ring-leaf-800',
  ahead: 'bg-milk text-stone ring-1 ring-stone/50',
}

function StepMark({ state, number, name, onBack }: { state: keyof typeof DISCS; number: string; name: string; onBack: () => void }) {
  const { t } = useI18n()
  const mark = (
    <>
      <span
        aria-hidden={state === 'done'}
        className={`grid size-8 shrink-0 place-items-center rounded-pill leading-none font-semibold ${DISCS[state]}`}
      >
        {state === 'done' ? <CheckIcon size={18} /> : number}
      </span>
      <span className={state === 'ahead' ? 'text-stone' : 'font-semibold'}>{name}</span>
    </>
  )
  if (state !== 'done') return <span className="flex items-center gap-2">{mark}</span>
  return (
    <button type="button" onClick={onBack} className="flex min-h-11 items-center gap-2 rounded-card">
      {mark}
      <span className="sr-only">({t('cart.step-done')})</span>
    </button>
  )
}
