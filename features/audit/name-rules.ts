// Finds the records that an audit entry refers to, so that the page can show their names.

/** Names of records by kind and id, such as `product 12`. A deleted record has none. */
export type AuditNames = Record<string, string>

export const NAMED_KINDS = ['product', 'category', 'area', 'slot', 'coupon', 'user'] as const
export type NamedKind = (typeof NAMED_KINDS)[number]

/** Fields of an entry that hold ids, and the kind of record each id belongs to. */
const ID_FIELDS: Readonly<Record<string, NamedKind>> = {
  category_id: 'category',
  further_category_ids: 'category',
  category_ids: 'category',
  categories: 'category',
  areaId: 'area',
  product_id: 'product',
  product_ids: 'product',
  products: 'product',
  supervisor_id: 'user',
  // Filters of a list.
  area_id: 'area',
  user_id: 'user',
  actor: 'user',
}

/** The kind of record whose id a field holds; null for other fields. */
export function kindOfField(subject: string, field: string): NamedKind | null {
  if (field === 'order') return kindOfSubject(subject)
  // The products of an approval.
  if (subject === 'shift' && (field === 'held' || field === 'id')) return 'product'
  return ID_FIELDS[field] ?? null
}

/** The kind of record that an entry is about; null for subjects without a name. */
export function kindOfSubject(subject: string): NamedKind | null {
  if (subject === 'customer' || subject === 'staff') return 'user'
  if (subject === 'rate') return 'category'
  return NAMED_KINDS.find((kind) => kind === subject) ?? null
}
