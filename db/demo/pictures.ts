// The demo shop's pictures: AVIF files in `pictures/`, described by `pictures/pictures.json`.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Picture } from '#features/catalog/types.ts'
import type { DemoAnimal } from './cattle.ts'

export const PICTURES_DIR = path.join(import.meta.dirname, 'pictures')
export const PICTURES_FILE = path.join(PICTURES_DIR, 'pictures.json')

export const POPUP_PICTURE = 'popup'
export const HERO_PICTURES = { wide: 'hero/wide', tall: 'hero/tall' }

/** Names of an animal's pictures, the card's picture first: the animal from the side, its face, a herd of its coat. */
export function picturesOfAnimal(animal: DemoAnimal): string[] {
  return [`side/${animal.tag}`, `face/${animal.tag}`, `herd/${animal.coat}`]
}

export function picturesOfProduce(art: string): string[] {
  return [`produce/${art}`]
}

/** Every picture by its name. The token is the hash of the largest file, so storing the pictures again writes the same files. */
export function readPictures(): Map<string, Picture> {
  return new Map(Object.entries(JSON.parse(readFileSync(PICTURES_FILE, 'utf8')) as Record<string, Picture>))
}

/** The path of one AVIF file of a picture. */
export function pictureFile(name: string, width: number): string {
  return path.join(PICTURES_DIR, `${name}-${width}.avif`)
}
