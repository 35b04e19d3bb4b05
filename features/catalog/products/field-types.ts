// Building blocks of the product-field list: how a column is read into the editor and written from the form.
import type { z } from 'zod'
import type { Bilingual } from '#features/settings/settings.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { ProductKind } from './product-rules.ts'

/** The words of a choice; `also` are read and never written. */
export type Choice = Bilingual & { also?: readonly string[] }

export type Choices = Readonly<Record<string, Choice>>

/** A column of `products`. `Held` is the type of the value in the editor, for example taka where the column holds poisha. */
export interface Column<Held> {
  name: string
  /** SQL of the value as the editor holds it; `p` is products. */
  read: string
  /** The value to store, from a checked form. */
  write(value: unknown, form: Readonly<Record<string, unknown>>): unknown
  /** The value of a product whose kind does not have the field. */
  none: unknown
  /** Carries the type only. */
  held?: Held
}

const asSent = (value: unknown) => value
const orNull = (value: unknown) => (value === '' ? null : value)

/** A column that holds what the editor holds. */
export const plain = <Held>(name: string, none: unknown = null): Column<Held> => ({ name, read: `p.${name}`, write: asSent, none })

/** A nullable text; the editor holds an empty text for null. */
export const nullableText = (name: string): Column<string> => ({
  name,
  read: `coalesce(p.${name}, '')`,
  write: orNull,
  none: null,
})

/** Hundredths in the column, whole units in the editor: taka, percent. */
export const hundredths = <Held = number>(name: string): Column<Held> => ({
  name,
  read: `p.${name}::float8 / 100`,
  write: asSent,
  none: null,
})

/** A nullable date; the editor holds a text in this format. */
export const dateText = (name: string, format: 'YYYY-MM-DD' | 'YYYY-MM'): Column<string> => ({
  name,
  read: `coalesce(to_char(p.${name}, '${format}'), '')`,
  write: asSent,
  none: null,
})

/** Headings of the column in an exported file. */
export interface CsvHeading extends Bilingual {
  /** Differs from the field's key for values that are references. */
  key?: string
  /** Headings of files exported by earlier versions. */
  formerly?: readonly string[]
}

export interface ProductField<Form extends z.ZodType = z.ZodType, Blank = unknown, Held = unknown> {
  /** Label in the admin form and in the audit log. */
  label: MessageKey
  /** The value as the form sends it. */
  form: Form
  /** The initial value of the form. */
  blank: Blank | ((isAnimal: boolean) => Blank)
  /** Without a column the value is stored in a table of its own. */
  column?: Column<Held>
  /** Without a heading the field is not part of files. */
  csv?: CsvHeading
  /** Kinds of products that have the field; all without it. */
  kinds?: readonly ProductKind[]
  /** Set when a product is created, never through the form after that. */
  isInitial?: true
  /** The values to choose from. */
  choices?: Choices
  /** Units of the form's number in one unit of the editor. */
  scale?: 100 | 1000
  /** Response field of `GET /api/products/{id}` with the field's key. */
  detail?: { schema: z.ZodType; from?(stored: never, lang: Lang): unknown }
  /** A row of the particulars on the product page and on the public animal card, from the response field `of` (default: the key). */
  particular?: { label: MessageKey; of?: 'breed'; text?(value: never, reader: { lang: Lang; t: Translate }): string }
}

/** Checks one field and keeps its types. */
export function field<Form extends z.ZodType, Blank, Held, Rest extends Omit<ProductField, 'form' | 'blank' | 'column'>>(
  spec: Rest & { form: Form; blank: Blank | ((isAnimal: boolean) => Blank); column?: Column<Held> },
): Rest & { form: Form; blank: Blank | ((isAnimal: boolean) => Blank); column?: Column<Held> } {
  return spec
}
