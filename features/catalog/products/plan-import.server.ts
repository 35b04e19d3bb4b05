import { sql } from 'kysely'
import type { CategoryKey } from '#features/catalog/category-keys.ts'
import { blankProduct } from './blank-product.ts'
import type { Db } from '#lib/db/db.server.ts'
import { ID_DIGITS } from '#lib/format/id.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { cellOf, choiceOf, type CsvColumn } from './csv-columns.ts'
import type { Choices } from './field-types.ts'
import { FIELD_LIST } from './field-values.ts'
import { matchCategory, type NamedCategory } from './match-category.ts'
import { matchSeasons } from './match-season.server.ts'
import { newProductBody, type NewProductForm, productBody, type ProductForm } from './forms.ts'
import { initialDeliveryDate } from './initial-delivery-rules.ts'
import type { CsvRow } from './read-csv.server.ts'
import { listProductRecords, type ProductDetails } from './product-editor-queries.server.ts'
import type { ProductKind } from './product-rules.ts'
import { listAllRateTiers, type RateTierOfTable } from './rate-tiers.server.ts'
import { checkForm, checkContextOf, firstWeighingProblems, newProductContext } from './write-product.server.ts'

/** The error of a cell: a message key with its values. */
export interface ImportProblem {
  field: string
  key: string
  values?: Record<string, unknown>
  /** What the cell may say. */
  choices?: Choices
}

export interface ImportChange {
  field: string
  before: string
  after: string
}

/** The planned change of one row. */
export interface ImportLine {
  line: number
  action: 'create' | 'change' | 'same' | 'error'
  id: number | null
  /** In each language, else in the other one. */
  name: Record<Lang, string>
  changes: ImportChange[]
  errors: ImportProblem[]
}

export type PlannedLine = ImportLine & { kind: ProductKind | null } & (
    | { form: ProductForm; version: number }
    | { form: NewProductForm; version: null }
    | { form: null; version: null }
  )

interface Known {
  products: ProductDetails[]
  categories: (NamedCategory & { key: CategoryKey | null })[]
  tiers: RateTierOfTable[]
  days: ImportDays
}

/** Days as YYYY-MM-DD. `seasonStart`: the first delivery day of the Kurbani season, null once it has begun. */
export interface ImportDays {
  today: string
  seasonStart: string | null
}

/** Plans the change of every row; writes nothing. `ignored`: columns of new products alone in which the file has other values. */
export async function planImport(
  db: Db,
  columns: CsvColumn[],
  rows: CsvRow[],
  days: ImportDays,
): Promise<{ lines: PlannedLine[]; ignored: string[] }> {
  const known = await readKnown(db, rows, days)
  matchSeasons(rows, [...known.tiers, ...known.products])
  const find = productFinder(known.products)
  const lineByKey = new Map<string, number>()
  const ignored = INITIAL_AMOUNTS.filter((key) => rows.some((row) => hasOtherAmount(row, key, find(row).product)))
  return { lines: rows.map((row) => planLine(row, columns, known, find, lineByKey)), ignored }
}

const INITIAL_AMOUNTS = ['stock', 'weight_kg'] as const

/** Whether a cell differs from the stock or weight of a stored product, which a file does not change. An empty cell asks for nothing. */
function hasOtherAmount({ cells }: CsvRow, key: (typeof INITIAL_AMOUNTS)[number], product: ProductDetails | null): boolean {
  const cell = latinDigits(cells.get(key) ?? '').replaceAll(',', '')
  return product !== null && cell !== '' && Number(cell) !== product.state[key]
}

async function readKnown(db: Db, rows: CsvRow[], days: ImportDays): Promise<Known> {
  const cells = (key: string) => rows.map((row) => row.cells.get(key) ?? '').filter((text) => text !== '')
  const ids = cells('id').filter((text) => ID_DIGITS.test(text))
  const [products, categories, tiers] = await Promise.all([
    listProductRecords(
      db,
      sql`p.id in (select id from products where id = any(${ids}::bigint[]) union select id from products where tag_number = any(${cells('tag_number')}::text[])
        union select id from products where barcode = any(${cells('barcode')}::text[])
        union select id from products where name_en = any(${cells('name_en')}::text[]))`,
    ),
    db.selectFrom('categories').select(['id', 'key', 'slug', 'name_en', 'name_bn']).orderBy('id').execute(),
    listAllRateTiers(db),
  ])
  return { products, categories, tiers, days }
}

type Find = (row: CsvRow) => { product: ProductDetails | null; problem: ImportProblem | null }

/** The product of a row with its number, unless tag or barcode are of another one. */
function numbered(product: ProductDetails | null, tagged: ProductDetails | null, coded: ProductDetails | null): ReturnType<Find> {
  if (!product) return { product, problem: { field: 'id', key: 'products.import-no-product' } }
  if (tagged && tagged.id !== product.id) return { product, problem: { field: 'tag_number', key: 'products.tag-taken' } }
  return { product, problem: coded && coded.id !== product.id ? { field: 'barcode', key: 'products.barcode-taken' } : null }
}

/** Finds the product of a row by id, else by tag, by barcode, or by its English name. A name of several products is a problem. */
function productFinder(products: ProductDetails[]): Find {
  const by = (key: 'tag_number' | 'barcode' | 'name_en') => {
    const found = new Map<string, ProductDetails | null>()
    for (const one of products) if (one[key] !== '') found.set(one[key], found.has(one[key]) ? null : one)
    return found
  }
  const byId = new Map(products.map((one) => [String(one.id), one]))
  const [byTag, byBarcode, byName] = [by('tag_number'), by('barcode'), by('name_en')]
  return ({ cells }) => {
    const cell = (key: string) => cells.get(key) ?? ''
    const id = cell('id')
    const tagged = byTag.get(cell('tag_number')) ?? null
    const coded = byBarcode.get(cell('barcode')) ?? null
    if (id !== '') return numbered(byId.get(id) ?? null, tagged, coded)
    if (tagged && coded && tagged.id !== coded.id) return { product: null, problem: { field: 'barcode', key: 'products.import-two' } }
    if (tagged && isOfAnotherSeason(tagged, cell('season')))
      return { product: tagged, problem: { field: 'tag_number', key: 'products.import-tag-sold' } }
    const isNamed = cell('tag_number') + cell('barcode') === ''
    const named = isNamed ? byName.get(cell('name_en')) : undefined
    if (named === null) return { product: null, problem: { field: 'name_en', key: 'products.import-name-unclear' } }
    return { product: tagged ?? coded ?? named ?? null, problem: null }
  }
}

/** Whether a row with the tag of a sold animal is about another animal: tags are used again in the next season. */
function isOfAnotherSeason({ status, season }: ProductDetails, seasonOfRow: string): boolean {
  return status === 'sold' && seasonOfRow !== '' && seasonOfRow !== season
}

function planLine(row: CsvRow, columns: CsvColumn[], known: Known, find: Find, lineByKey: Map<string, number>): PlannedLine {
  const { product, problem } = find(row)
  const errors: ImportProblem[] = problem ? [problem] : []
  const named = (key: 'name_en' | 'name_bn') => row.cells.get(key) || product?.[key] || ''
  const name = { en: named('name_en') || named('name_bn'), bn: named('name_bn') || named('name_en') }
  const base = { line: row.line, id: product?.id ?? null, name, kind: product?.kind ?? null, changes: [] as ImportChange[] }
  const refused = (): PlannedLine => ({ ...base, action: 'error', errors, form: null, version: null })
  for (const key of uniqueKeysOf(row, product)) {
    const before = lineByKey.get(key)
    if (before !== undefined) errors.push({ field: 'id', key: 'products.import-twice', values: { line: before } })
    lineByKey.set(key, row.line)
  }
  errors.push(...damagedCells(row, columns, product))
  const isRefused = errors.length > 0
  const typed = readCells(row, columns, known, product, errors)
  // Without a known kind nobody knows which fields it needs.
  if (isRefused || typed.kind === null) return refused()
  return product ? planChange(product, typed, known, base, errors) : planNew(typed, known, base, errors)
}

/** What a spreadsheet program has damaged in a row. */
function damagedCells({ cells, isTooLong }: CsvRow, columns: CsvColumn[], product: ProductDetails | null): ImportProblem[] {
  const lost = [...cells].filter(([field, text]) => hasLostLetters(field, text, product))
  return [
    ...(isTooLong ? [{ field: columns.at(-1)!.key, key: 'products.import-too-long' }] : []),
    ...lost.map(([field]) => ({ field, key: 'products.import-lost' })),
  ]
}

/**
 * Whether a program has replaced letters of the cell: by U+FFFD, or all Bengali letters by question marks (Excel's CSV that is not UTF-8).
 * Text that the product has already may look like that.
 */
function hasLostLetters(field: string, text: string, product: ProductDetails | null): boolean {
  const isLost = text.includes('\ufffd') || (field.endsWith('_bn') && text.includes('??') && !/[\u0980-\u09ff]/.test(text))
  return isLost && product?.[field as keyof ProductDetails] !== text
}

/** The keys by which two rows of a file would be the same product. */
function uniqueKeysOf({ cells }: CsvRow, product: ProductDetails | null): string[] {
  const [tag, barcode, name] = ['tag_number', 'barcode', 'name_en'].map((key) => cells.get(key) ?? '')
  return [
    ...(product ? [`id ${product.id}`] : []),
    ...(tag ? [`tag ${tag}`] : []),
    ...(barcode ? [`code ${barcode}`] : []),
    ...(product || tag || barcode ? [] : [`name ${name}`]),
  ]
}

/** A stored product does not take its initial values again. Its kind is read to compare it. */
function isRead({ key, isInitial }: CsvColumn, product: ProductDetails | null): boolean {
  return key !== 'id' && !(isInitial && product && key !== 'kind')
}

/** The cells as form values; an empty cell clears the field. */
function readCells(row: CsvRow, columns: CsvColumn[], { categories }: Known, product: ProductDetails | null, errors: ImportProblem[]) {
  const typed: Record<string, unknown> = {}
  const category = (key: string, cell: string, current: readonly number[]): number | undefined => {
    const id = matchCategory(categories, cell, current)
    if (typeof id === 'number') return id
    errors.push({ field: key, key: id === 'unclear' ? 'products.import-category-unclear' : 'products.import-category' })
    return undefined
  }
  for (const { key, choices, isOptional } of columns.filter((column) => isRead(column, product))) {
    const text = row.cells.get(key) ?? ''
    if (key === 'category') {
      typed.category_id = category(key, text, product ? [product.category_id] : [])
    } else if (key === 'further_categories') {
      typed.further_category_ids = text
        .split(';')
        .filter((part) => part.trim() !== '')
        .map((part) => category(key, part, product?.further_category_ids ?? []))
    } else if (choices) {
      const choice = text === '' ? '' : choiceOf(choices, text)
      if (choice === null) {
        errors.push({ field: key, key: 'products.import-choice', choices })
      }
      if (text !== '' || isOptional) typed[key] = 'yes' in choices ? choice === 'yes' : choice
    } else typed[key] = text
  }
  return typed
}

type Base = Pick<PlannedLine, 'line' | 'id' | 'name' | 'kind' | 'changes'>

function planChange(
  product: ProductDetails,
  typed: Record<string, unknown>,
  known: Known,
  base: Base,
  errors: ImportProblem[],
): PlannedLine {
  const { kind, ...rest } = typed
  if (kind !== undefined && kind !== product.kind) errors.push({ field: 'kind', key: 'products.import-kind' })
  if (product.kind === 'goods' && rest.tag_number) errors.push({ field: 'tag_number', key: 'products.import-tag-goods' })
  // A price by live weight cannot be imported.
  if (product.kind === 'animal' && (rest.sold_by_live_weight ?? product.sold_by_live_weight) === true) delete rest.price
  const current = asBody(product)
  const read = productBody.safeParse({ ...current, ...rest })
  const old = productBody.safeParse(current)
  if (!read.success) errors.push(...issuesOf(read.error, errors))
  const refused = (): PlannedLine => ({ ...base, action: 'error', errors, form: null, version: null })
  if (!read.success || errors.length > 0) return refused()
  const { version, ...form } = read.data
  const tiers = known.tiers.filter((tier) => tier.categoryId === form.category_id && tier.season === form.season)
  errors.push(...checkForm(form, checkContextOf(product, tiers), product)[0].map(([field, key]) => ({ field, key })))
  const changes = differing(old.success ? old.data : {}, form)
  // Errors of an unchanged product are not caused by the file.
  if (changes.length === 0) return { ...base, action: 'same', errors: [], form, version }
  return errors.length > 0 ? refused() : { ...base, action: 'change', changes, errors, form, version }
}

function planNew(typed: Record<string, unknown>, known: Known, base: Base, errors: ImportProblem[]): PlannedLine {
  const refused = (): PlannedLine => ({ ...base, action: 'error', errors, form: null, version: null })
  const kind = typed.kind === 'animal' || (typed.kind === undefined && typed.tag_number) ? 'animal' : 'goods'
  // It would not be stored: the same file would not find the product by it, and create it again.
  if (kind === 'goods' && typed.tag_number) errors.push({ field: 'tag_number', key: 'products.import-tag-goods' })
  const read = newProductBody.safeParse({ ...blankProduct(kind), ...typed, kind })
  if (read.success && read.data.delivery_on === null) {
    read.data.delivery_on = initialDeliveryDate(read.data, known.categories, known.days.seasonStart) || null
  }
  if (!read.success) {
    const isMissing = ({ field }: ImportProblem) => field === 'category_id' && typed.category_id === undefined
    errors.push(...issuesOf(read.error, errors).map((issue) => (isMissing(issue) ? { ...issue, key: 'field.required' } : issue)))
    return refused()
  }
  const form = read.data
  const tiers = known.tiers.filter((tier) => tier.categoryId === form.category_id && tier.season === form.season)
  const context = newProductContext(form, tiers)
  const problems = [...checkForm({ ...form, status: context.status }, context)[0], ...firstWeighingProblems(form, known.days.today)]
  errors.push(...problems.map(([field, key]) => ({ field, key })))
  return errors.length > 0 ? refused() : { ...base, action: 'create', kind, errors, form, version: null }
}

function asBody({ id: _id, kind: _kind, state: _state, pictures, ...rest }: ProductDetails) {
  return { ...rest, picture_ids: pictures.map((one) => one.image_id) }
}

/** The errors of the form in fields whose cells had none. */
function issuesOf(error: { issues: { path: PropertyKey[]; message: string }[] }, known: ImportProblem[]): ImportProblem[] {
  const isKnown = (field: string) => known.some((one) => one.field === cellOf(field))
  return error.issues.map(({ path, message }) => ({ field: String(path[0] ?? ''), key: message })).filter(({ field }) => !isKnown(field))
}

const toText = (value: unknown) => (value === null || value === undefined ? '' : Array.isArray(value) ? value.join(', ') : String(value))

function differing(before: Record<string, unknown>, after: Record<string, unknown>): ImportChange[] {
  return Object.keys(after)
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, before: shown(field, before[field]), after: shown(field, after[field]) }))
}

function shown(field: string, value: unknown): string {
  const scale = FIELD_LIST.find(({ key }) => key === field)?.scale ?? 1
  const unscaled = (one: unknown) => (typeof one === 'number' ? one / scale : one)
  return toText(Array.isArray(value) ? value.map(unscaled) : unscaled(value))
}
