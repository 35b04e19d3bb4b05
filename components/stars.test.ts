import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const css = readFileSync(new URL('../site/base.css', import.meta.url), 'utf8')
const colorOf = (name: string) => new RegExp(`--color-${name}: #(\\w{6})`).exec(css)![1]!

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (light: string, dark: string) => (luminance(colorOf(light)) + 0.05) / (luminance(colorOf(dark)) + 0.05)

it('stars stand out from pages and cards, and dark words from the colour of stars', () => {
  expect(contrast('paper', 'mango')).toBeGreaterThanOrEqual(3)
  expect(contrast('milk', 'mango')).toBeGreaterThanOrEqual(3)
  expect(contrast('mango', 'ink')).toBeGreaterThanOrEqual(4.5)
})
