import type { Coat } from '#features/catalog/coats.ts'

export interface CoatColours {
  light: string
  base: string
  dark: string
  /** Lower legs, tail tuft, around the eyes. */
  points: string
  muzzle: string
  horn: string
  patches?: string
}

export const COAT_COLOURS: Record<Coat, CoatColours> = {
  red: { light: '#c9773f', base: '#a9532b', dark: '#7b3719', points: '#6a2e16', muzzle: '#d9a183', horn: '#d8c3a0' },
  brown: { light: '#94664a', base: '#74482f', dark: '#4d2c1b', points: '#3b2115', muzzle: '#4a3a33', horn: '#cbb794' },
  fawn: { light: '#e6c592', base: '#cfa46b', dark: '#a57c48', points: '#8d6a42', muzzle: '#5a4a40', horn: '#d9c9a8' },
  black: { light: '#59514b', base: '#332e2a', dark: '#1c1917', points: '#141210', muzzle: '#3e3936', horn: '#b9ab93' },
  white: { light: '#fffaf0', base: '#f0e8da', dark: '#c9bca7', points: '#d8ccb8', muzzle: '#d7a992', horn: '#d9cbae' },
  grey: { light: '#c9c4bc', base: '#a5a09a', dark: '#736e69', points: '#55514d', muzzle: '#4b4744', horn: '#8f877c' },
  pied: { light: '#fffaf1', base: '#f1eadf', dark: '#c8beb0', points: '#e2d8c8', muzzle: '#d9a898', horn: '#d6cab2', patches: '#2b2724' },
  'red-pied': {
    light: '#fff8ee',
    base: '#f3e7d8',
    dark: '#cdb9a3',
    points: '#e6d5c0',
    muzzle: '#dba890',
    horn: '#d8c7a6',
    patches: '#a24f29',
  },
}
