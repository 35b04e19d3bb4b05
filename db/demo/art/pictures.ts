// Which pictures the demo shop shows, and how each is drawn.
import type { Coat } from '#features/catalog/coats.ts'
import { CATTLE, type DemoAnimal } from '../cattle.ts'
import { cowFace } from './cow-face.ts'
import { cowSide, type CowLook } from './cow-side.ts'
import { hero, popup } from './posters.ts'
import { place, PLACES } from './places.ts'
import { at, chance, oval, sheet, type Sheet } from './sheet.ts'
import { tabletop } from './tabletop.ts'

export const POPUP_PICTURE = 'popup'
export const HERO_PICTURES = { wide: 'hero/wide', tall: 'hero/tall' }

const SIZE = [800, 600] as const

/** Which pictures an animal shows, the first on its card: itself from the side, its face, its fellows outside. */
export function picturesOfAnimal(animal: DemoAnimal): string[] {
  return [`side/${animal.tag}`, `face/${animal.tag}`, `herd/${animal.coat}`]
}

export function picturesOfProduce(art: string): string[] {
  return [`produce/${art}`]
}

/** The drawing of that name, as SVG. */
export function draw(name: string): string {
  const s = sheet(...SIZE)
  const [kind, what = ''] = name.split('/')
  switch (kind) {
    case 'side':
      return s.svg(side(s, animalOf(what)))
    case 'face':
      return s.svg(face(s, animalOf(what)))
    case 'herd':
      return s.svg(herd(s, what as Coat))
    case 'produce':
      return s.svg(tabletop(s, what))
    case 'hero':
      return hero(what === 'wide')
    case POPUP_PICTURE:
      return popup()
    default:
      throw new Error(`no such drawing: ${name}`)
  }
}

function animalOf(tag: string): DemoAnimal {
  const animal = CATTLE.find((one) => one.tag === tag)
  if (!animal) throw new Error(`no such animal: ${tag}`)
  return animal
}

const numberOf = (animal: DemoAnimal) => Number(animal.tag.slice(2))

/** How this animal differs from the next of its coat: what its breed is known for, and its own number. */
export function lookOf(animal: DemoAnimal): CowLook {
  const random = chance(animal.tag)
  const breeds = { deshi: 0.35, pabna: 0.55, rcc: 0.3, grey: 0.5, mirkadim: 0.6, sahiwal: 0.75, sindhi: 0.7, brahman: 1, friesian: 0.05 }
  const hump = breeds[animal.breed] * (animal.sex === 'bull' ? 1 : 0.55)
  return {
    coat: animal.coat,
    tag: animal.tag,
    seed: animal.tag,
    hump,
    horns: animal.breed === 'friesian' ? 0.15 : random(0.2, 0.5) + animal.teeth * 0.06,
    dewlap: Math.min(1, hump * 0.8 + random(0, 0.3)),
    head: random(-7, 12),
    udder: animal.sex === 'cow',
  }
}

/** Its own corner of one of the places: nearer or further, mirrored or not, so that no two backgrounds are alike. */
function surroundings(s: Sheet, animal: DemoAnimal, nearer: number): string {
  const random = chance(`where ${animal.tag}`)
  const where = PLACES[(numberOf(animal) * 5 + (animal.categoryId === 2 ? 4 : 1)) % PLACES.length]!
  const scale = nearer * random(1, 1.22)
  const aside = random(-1, 1) * (scale - 1) * 380
  return at(400 + aside, 600, at(-400, -600, place(s, where, animal.tag)), { scale, flip: random() > 0.5 })
}

function side(s: Sheet, animal: DemoAnimal): string {
  const random = chance(`side ${animal.tag}`)
  const scale = 0.86 + Math.min(0.22, (animal.kg - 150) / 1400)
  const mirrored = random() > 0.55
  const x = 400 + (mirrored ? 1 : -1) * (385 * scale) + random(-16, 16)
  return surroundings(s, animal, 1) + at(x, 574 - 540 * scale, standing(s, { ...lookOf(animal), mirrored }), { scale, flip: mirrored })
}

const standing = (s: Sheet, look: CowLook) => oval(372, 540, 262, 20, '#2a2010', 'opacity=".28"') + cowSide(s, look)

function face(s: Sheet, animal: DemoAnimal): string {
  const random = chance(`face ${animal.tag}`)
  const mirrored = random() > 0.5
  const scale = random(1.02, 1.16)
  return (
    surroundings(s, animal, 1.4) +
    at(400 + random(-50, 50), 628, at(-400, -620, cowFace(s, { ...lookOf(animal), mirrored })), {
      scale,
      flip: mirrored,
      turn: random(-4, 4),
    })
  )
}

/** Three of a coat in the open. */
function herd(s: Sheet, coat: Coat): string {
  const where = (['field', 'pond', 'cane'] as const)[coat.length % 3]!
  const one = (x: number, hooves: number, scale: number, flip: boolean, seed: string) =>
    at(x, hooves - 540 * scale, standing(s, { coat, seed, hump: 0.5, horns: 0.4, dewlap: 0.5, head: seed === 'c' ? 20 : 4 }), {
      scale,
      flip,
    })
  return place(s, where, coat) + one(470, 446, 0.36, false, 'a') + one(812, 474, 0.42, true, 'b') + one(20, 572, 0.7, false, `c${coat}`)
}
