import { chosenValues, type ListingQuery } from '#features/catalog/listing-query-rules.ts'

/** What a list is narrowed and sorted by, for a form that sends other fields. Without the page: a changed list begins at its first. */
export function HiddenValues({ query, fields }: { query: ListingQuery; fields: readonly (keyof ListingQuery)[] }) {
  return chosenValues({ ...query, page: 1 })
    .filter(([field]) => !fields.includes(field))
    .map(([field, value]) => <input key={field} type="hidden" name={field} value={value} />)
}
