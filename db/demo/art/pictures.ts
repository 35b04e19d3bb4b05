import type { DemoAnimal } from '../cattle.ts'

/** Which pictures an animal shows, the first on its card. */
export function picturesOfAnimal(animal: DemoAnimal): string[] {
  return [`side/${animal.coat}`, `face/${animal.coat}`]
}

export function picturesOfProduce(art: string): string[] {
  return [`produce/${art}`]
}

/** The drawing of that name, as SVG. */
export function draw(name: string): string {
  const hue = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0) * 7, 0) % 360
  return `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="hsl(${hue} 40% 85%)"/><ellipse cx="400" cy="320" rx="220" ry="140" fill="hsl(${hue} 45% 45%)"/></svg>`
}

export const POPUP_PICTURE = 'popup'
