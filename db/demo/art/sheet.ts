// The little that all drawings share: a sheet of paper with numbered gradients, and repeatable chance.

export interface Sheet {
  /** Top to bottom (or along the angle), as colours with where they begin, 0 to 1. */
  linear(stops: Stop[], angle?: number): string
  /** From a light spot outwards; the spot at (x, y) of the shape's own box. */
  radial(stops: Stop[], x?: number, y?: number, r?: number): string
  /** The name under which the shapes of `body` cut others off. */
  clip(body: string): string
  svg(body: string): string
}

type Stop = [at: number, colour: string, opacity?: number]

export function sheet(width: number, height: number): Sheet {
  const defs: string[] = []
  const keep = (make: (id: string) => string): string => {
    const id = `d${defs.length}`
    defs.push(make(id))
    return `url(#${id})`
  }
  const stopsOf = (stops: Stop[]) =>
    stops.map(([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`).join('')
  return {
    linear: (stops, angle = 90) =>
      keep(
        (id) =>
          `<linearGradient id="${id}" x1="0" y1="0" x2="1" y2="0" gradientTransform="rotate(${angle} .5 .5)">${stopsOf(stops)}</linearGradient>`,
      ),
    radial: (stops, x = 0.4, y = 0.3, r = 0.75) =>
      keep((id) => `<radialGradient id="${id}" cx="${x}" cy="${y}" r="${r}">${stopsOf(stops)}</radialGradient>`),
    clip: (body) => keep((id) => `<clipPath id="${id}">${body}</clipPath>`),
    svg: (body) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${defs.join('')}</defs>${body}</svg>`,
  }
}

/** GrowableUint32 from 0 to 1 that are the same every time for the same seed. */
export function chance(seed: string): (from?: number, to?: number) => number {
  let state = [...seed].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 2654435761), 1831565813)
  return (from = 0, to = 1) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return from + (((t ^ (t >>> 14)) >>> 0) / 4294967296) * (to - from)
  }
}

const short = (n: number) => String(Math.round(n * 10) / 10)

export const at = (x: number, y: number, body: string, { turn = 0, scale = 1, flip = false } = {}) =>
  `<g transform="translate(${short(x)} ${short(y)}) rotate(${short(turn)}) scale(${flip ? -scale : scale} ${scale})">${body}</g>`

export const shape = (d: string, fill: string, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`

export const line = (d: string, colour: string, width: number, opacity = 1) =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" opacity="${opacity}"/>`

export const oval = (cx: number, cy: number, rx: number, ry: number, fill: string, more = '') =>
  `<ellipse cx="${short(cx)}" cy="${short(cy)}" rx="${short(rx)}" ry="${short(ry)}" fill="${fill}" ${more}/>`

/** A closed soft outline around a centre, never quite round. */
export function blob(cx: number, cy: number, rx: number, ry: number, random: ReturnType<typeof chance>, unrest = 0.25): string {
  const points = Array.from({ length: 9 }, (_, i) => {
    const angle = (i / 9) * 2 * Math.PI
    const reach = 1 + random(-unrest, unrest)
    return [cx + Math.cos(angle) * rx * reach, cy + Math.sin(angle) * ry * reach] as const
  })
  const middle = (i: number) => {
    const [a, b] = [points[i % 9]!, points[(i + 1) % 9]!]
    return `${short((a[0] + b[0]) / 2)} ${short((a[1] + b[1]) / 2)}`
  }
  return `M${middle(8)}${points.map((p, i) => `Q${short(p[0])} ${short(p[1])} ${middle(i)}`).join('')}Z`
}
