import { DownIcon, ScaleIcon } from '#components/icons.tsx'
import { formatTaka, taka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatLongDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import type { CattleNotes } from '../cattle-notes.ts'

/** The notes for buyers of cattle as a list; `short` has only those about weight and advance. */
export function CattleNoteList({ notes, short = false }: { notes: CattleNotes; short?: boolean }) {
  const { t, lang } = useI18n()
  const money = (amount: number) => formatTaka(takaToPoisha(amount), lang)
  const printed = (digits: string) => localizeDigits(lang, digits)
  const places = notes.delivery
    .map(({ charge, names }) => t('catalog.note.place', { names: names.join(', '), charge: money(charge) }))
    .join(' · ')
  const points = [
    short ? null : ratePoint(),
    notes.weighed
      ? t('catalog.note.weights-taken', { from: formatLongDay(notes.weighed.from, lang), to: formatLongDay(notes.weighed.to, lang) })
      : null,
    notes.finalWeighingDays === null ? null : t('catalog.note.final', { days: notes.finalWeighingDays }),
    t('catalog.note.gain', { large: printed(notes.gainLarge), small: printed(notes.gainSmall) }),
    short || notes.rates.length === 0 ? null : t('catalog.note.rate-frozen'),
    short ? null : t('catalog.note.yield', { percent: printed(notes.meatYield) }),
    t('catalog.note.advance', { amount: formatTaka(taka(notes.advance), lang) }),
    places && !short ? t('catalog.note.delivery', { places }) : null,
  ]
  function ratePoint(): string | null {
    const [only, ...more] = notes.rates
    if (!only) return null
    if (more.length === 0) return t('catalog.note.rate', { rate: money(only.perKg) })
    return t('catalog.note.tiers', {
      tiers: notes.rates.map(({ fromKg, perKg }) => t('catalog.note.tier', { kg: fromKg, rate: money(perKg) })).join(', '),
    })
  }
  return (
    <ul className="tabular-nums list-disc space-y-1 ps-5 marker:text-leaf-600">
      {points
        .filter((point) => point !== null)
        .map((point) => (
          <li key={point}>{point}</li>
        ))}
    </ul>
  )
}

/** The same in a closed `<details>`. */
export function CattleNoteFold({ notes, title }: { notes: CattleNotes; title: string }) {
  return (
    <details className="group rounded-card border border-line bg-milk">
      <summary className="flex min-h-12 items-center gap-2.5 rounded-card px-4 py-2 font-semibold hover:bg-leaf-100">
        <ScaleIcon className="shrink-0 text-leaf-600" />
        <span className="grow">{title}</span>
        <DownIcon className="shrink-0 text-stone transition-transform group-open:rotate-180" />
      </summary>
      <div className="px-4 pt-1 pb-4">
        <CattleNoteList notes={notes} />
      </div>
    </details>
  )
}
