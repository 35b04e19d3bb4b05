import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { AlertIcon, ScaleIcon } from '#components/icons.tsx'
import type { PosLine } from '#features/pos/rules.ts'
import { localizeDigits, MINUS } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { beep } from '../beep.ts'
import { usePosKeys } from '../use-shortcuts.ts'
import { type PosScale, useScale } from './use-scale.ts'
import { isTakenOff, lineToWeigh, weighableLines, type WeighedLine, weighing } from './weigh-rules.ts'

interface LiveWeightProps {
  lines: readonly PosLine[]
  saleKey: string
  /** The line added last. */
  last: { id: number } | null
  onTake: (id: number, quantity: string) => void
}

/** The live weight of the scale, and the button that takes it as a quantity. Nothing without a scale. */
export function LiveWeight(props: LiveWeightProps) {
  const scale = useScale()
  return scale.status === 'off' ? null : <Weight {...props} scale={scale} />
}

function Weight({ lines, saleKey, last, onTake, scale }: LiveWeightProps & { scale: PosScale }) {
  const { t } = useI18n()
  const [chosen, setChosen] = useState<{ id: number; last: object | null } | null>(null)
  /** The line that took the weight on the scale. */
  const [weighed, setWeighed] = useState<WeighedLine | null>(null)
  if (weighed !== null && isTakenOff(scale)) setWeighed(null)
  // A choice holds until the next product is added.
  const line = lineToWeigh(lines, chosen && chosen.last === last ? chosen.id : null, last?.id ?? null)
  const result = weighing(scale, line && { id: line.id, saleKey }, weighed)
  const take = () => {
    if (!line) return
    if (!result.ok) return beep('rejected')
    onTake(line.id, result.quantity)
    setWeighed({ id: line.id, saleKey })
    beep('accepted')
    document.getElementById('pos-search')?.focus()
  }
  usePosKeys({}, { F1: take })
  const choices = weighableLines(lines)
  return (
    <section
      aria-label={t('pos.scale')}
      className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-line bg-milk px-3 py-2"
    >
      <ScaleIcon className="shrink-0" />
      <WeightText scale={scale} />
      {choices.length > 1 && line ? (
        <select
          aria-label={t('pos.scale.line')}
          className="min-h-11 max-w-56 min-w-0 grow rounded-card border border-stone/80 bg-white px-2"
          value={line.id}
          onChange={({ target }) => setChosen({ id: Number(target.value), last })}
        >
          {choices.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <span className="min-w-0 grow basis-24 truncate text-sm text-stone">{line?.name ?? t('pos.scale.no-line')}</span>
      )}
      {!result.ok && result.problem === 'not-emptied' ? <span className="text-sm text-stone">{t('pos.scale.not-emptied')}</span> : null}
      <Button kind="tag" disabled={!result.ok} onClick={take}>
        {t('pos.scale.take')} <kbd className="kbd max-lg:hidden">F1</kbd>
      </Button>
    </section>
  )
}

/** The weight and whether it is stable, or why there is none. */
export function WeightText({ scale: { status, view } }: { scale: PosScale }) {
  const { t, lang } = useI18n()
  if (status === 'connected' && view?.kind === 'weight') {
    const { grams, isStable } = view.weight
    const weight = t('pos.kg', { weight: localizeDigits(lang, `${grams < 0 ? MINUS : ''}${(Math.abs(grams) / 1000).toFixed(3)}`) })
    return (
      <span className="tabular-nums flex items-baseline gap-2" data-weight={grams}>
        <span className={`text-2xl font-semibold ${isStable ? 'text-leaf-700' : 'text-stone'}`}>{weight}</span>
        <span className={`chip ${isStable ? 'chip-leaf' : 'chip-mango'}`}>{t(isStable ? 'pos.scale.stable' : 'pos.scale.unstable')}</span>
      </span>
    )
  }
  const problem = status === 'connected' ? (view?.kind ?? 'waiting') : status === 'off' ? 'waiting' : status
  return (
    <span role="status" className="flex items-center gap-1.5 font-semibold text-terracotta">
      <AlertIcon size={18} className="shrink-0" />
      {t(`pos.scale.${problem as Exclude<typeof problem, 'weight'>}`)}
    </span>
  )
}
