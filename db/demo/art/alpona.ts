// Alpona: what is painted with rice paste on floors and walls of feasts.
import { line } from './sheet.ts'

/** A round flower of the floor drawings, one line, `size` across. */
export function alponaFlower(size: number, colour = '#fbf3e2'): string {
  const r = size / 2
  const ring = (count: number, from: number, to: number, wide: number) =>
    [...Array(count).keys()]
      .map(
        (i) =>
          `<path transform="rotate(${(i * 360) / count})" d="M0 ${-from}C${wide} ${-from - (to - from) * 0.4} ${wide * 0.8} ${-to + 2} 0 ${-to}C${-wide * 0.8} ${-to + 2} ${-wide} ${-from - (to - from) * 0.4} 0 ${-from}Z"/>`,
      )
      .join('')
  return `<g fill="none" stroke="${colour}" stroke-width="3.2" stroke-linejoin="round" opacity=".85"><circle r="${r * 0.12}"/>${size > 300 ? ring(16, r * 0.3, r * 0.58, r * 0.06) : ''}${ring(8, r * 0.2, r * 0.55, r * 0.14)}<circle r="${r * 0.62}"/>${ring(size > 300 ? 28 : 16, r * 0.68, r * 0.98, r * (size > 300 ? 0.07 : 0.12))}</g>`
}

export function alponaBand(w: number, y: number, colour = '#fbf3e2'): string {
  const count = Math.round(w / 50)
  const step = w / count
  const petals = [...Array(count + 1).keys()]
    .map(
      (i) =>
        `M${i * step} ${y + 20}C${i * step + step * 0.36} ${y + 8} ${i * step + step * 0.3} ${y - 14} ${i * step} ${y - 18}C${i * step - step * 0.3} ${y - 14} ${i * step - step * 0.36} ${y + 8} ${i * step} ${y + 20}`,
    )
    .join('')
  const waves = [...Array(count).keys()].map((i) => `M${i * step} ${y + 20}q${step / 2} -30 ${step} 0`).join('')
  return line(petals + waves, colour, 3, 0.8) + line(`M0 ${y + 25}H${w}`, colour, 3, 0.8)
}
