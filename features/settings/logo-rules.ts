import { derivedUrl } from '#lib/files/derived-picture.ts'
import type { Settings } from './settings.ts'

/** The logo as pages show it. `ratio`: width over height. `isWide`: it takes the place of the name. */
export interface ShownLogo {
  src: string
  ratio: number
  isWide: boolean
}

/** A wider logo is made smaller, so that the header of a small phone holds it. */
const MAX_RATIO = 3.5
const WIDE_RATIO = 2

/** Null without a logo. */
export function shownLogo(logo: Settings['logo']): ShownLogo | null {
  if (logo === null) return null
  const ratio = Math.min(MAX_RATIO, logo.picture.width / logo.picture.height)
  return { src: derivedUrl(logo.picture, 'mark'), ratio: Math.round(ratio * 100) / 100, isWide: ratio >= WIDE_RATIO }
}
