// Types and lists derived from the product-field list.
import type { z } from 'zod'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Column, ProductField } from './field-types.ts'
import { PRODUCT_FIELDS } from './product-fields.ts'

type Fields = typeof PRODUCT_FIELDS
export type FieldKey = keyof Fields

type InitialKey = { [Key in FieldKey]: Fields[Key] extends { isInitial: true } ? Key : never }[FieldKey]
/** Fields of every form; the others belong to the form of a new product. */
type EditableKey = Exclude<FieldKey, InitialKey>

type HeldOf<Key extends FieldKey> = Fields[Key] extends { column?: Column<infer Held> } ? Held : never
type BlankOf<Blank> = Blank extends (isAnimal: boolean) => infer Value ? Value : Blank
type DetailKey = { [Key in FieldKey]: Fields[Key] extends { detail: object } ? Key : never }[FieldKey]

type ColumnKey = Exclude<EditableKey, 'further_category_ids' | 'picture_ids' | 'videos'>

/** The values of a product's columns as the editor holds them. */
export type HeldValues = { [Key in ColumnKey]: HeldOf<Key> }

/** The response fields of a product's page that have no code of their own. */
export type DetailValues = { [Key in DetailKey]: z.output<Fields[Key]['detail']['schema']> }

export type BlankProduct = { [Key in FieldKey]: BlankOf<Fields[Key]['blank']> }

export interface FieldEntry extends ProductField {
  key: FieldKey
}

/** The list in its order. */
export const FIELD_LIST: readonly FieldEntry[] = Object.entries(PRODUCT_FIELDS as unknown as Record<FieldKey, ProductField>).map(
  ([key, field]) => ({ key: key as FieldKey, ...field }),
)

export type StoredField = FieldEntry & { column: Column<unknown> }

/** Fields with a column of `products`. */
export const STORED_FIELDS = FIELD_LIST.filter((field): field is StoredField => field.column !== undefined)

/** Fields that `GET /api/products/{id}` answers under their own key. */
export const DETAIL_FIELDS = STORED_FIELDS.filter(({ detail }) => detail !== undefined)

export const detailSchemas = Object.fromEntries(DETAIL_FIELDS.map(({ key, detail }) => [key, detail!.schema])) as unknown as {
  [Key in DetailKey]: Fields[Key]['detail']['schema']
}

type Forms<Key extends FieldKey> = { [K in Key]: Fields[K]['form'] }

const formsOf = (fields: readonly FieldEntry[]) => Object.fromEntries(fields.map(({ key, form }) => [key, form]))

/** Form fields of every product, and those that only a new product has. */
export const productFields = formsOf(FIELD_LIST.filter(({ isInitial }) => !isInitial)) as unknown as Forms<EditableKey>
export const initialFields = formsOf(FIELD_LIST.filter(({ isInitial }) => isInitial)) as unknown as Forms<InitialKey>

/** The label of a stored choice in either language; null for a value that is not a choice. */
export function choiceText(key: string, value: unknown, lang: Lang): string | null {
  const choices = FIELD_LIST.find((field) => field.key === key)?.choices
  return choices && Object.hasOwn(choices, String(value)) ? (choices[String(value)]?.[lang] ?? null) : null
}

/** Options of a select in the form. */
export function choiceOptions(key: FieldKey, lang: Lang): [value: string, label: string][] {
  const choices = FIELD_LIST.find((field) => field.key === key)?.choices ?? {}
  return Object.entries(choices).map(([value, words]) => [value, words[lang]])
}
