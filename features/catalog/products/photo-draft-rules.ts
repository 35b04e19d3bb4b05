// A product made from a photograph: what it is called, and how it is tagged, until staff enter both.
import { formatNumber } from '#lib/format/numbers.ts'
import type { ProductKind } from './product-rules.ts'

/** Both names are stored, so they are no texts of a page, which has those of its own language only. */
const DRAFT_NAMES = {
  animal: { en: 'New animal', bn: 'নতুন পশু' },
  goods: { en: 'New product', bn: 'নতুন পণ্য' },
} as const satisfies Record<ProductKind, unknown>

/** The names of a product made from a photograph. */
export function draftNames(kind: ProductKind, number: number): { name_en: string; name_bn: string } {
  const { en, bn } = DRAFT_NAMES[kind]
  return { name_en: `${en} ${formatNumber(number, 'en')}`, name_bn: `${bn} ${formatNumber(number, 'bn')}` }
}

/** The tag of an animal made from a photograph. */
export const draftTag = (imageId: number): string => `NEW-${imageId}`

const words = Object.values(DRAFT_NAMES).flatMap(({ en, bn }) => [en, bn])
const DRAFT_NAME = new RegExp(`^(?:${words.join('|')}) [\\d০-৯,]+$`, 'u')
/** A text key: drafts that were made on a page with the texts of one language have it as their name in the other. */
const TEXT_KEY = /^setup\.photo-(?:animal|name)$/

const isDraftName = (name: string): boolean => DRAFT_NAME.test(name) || TEXT_KEY.test(name)
const isDraftTag = (tag: string | null): boolean => tag !== null && /^NEW-\d+$/.test(tag)

type DraftProblem = [field: 'name_en' | 'name_bn' | 'tag_number', key: 'products.name-draft' | 'products.tag-draft']

/** What staff still have to enter of a product made from a photograph before it is published. */
export function draftProblems(product: { name_en: string; name_bn: string; tag_number: string | null }): DraftProblem[] {
  const problems = (['name_en', 'name_bn'] as const)
    .filter((field) => isDraftName(product[field]))
    .map((field): DraftProblem => [field, 'products.name-draft'])
  return isDraftTag(product.tag_number) ? [...problems, ['tag_number', 'products.tag-draft']] : problems
}
