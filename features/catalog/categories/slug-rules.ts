/** The slug of a name: `Kurbani Cow` → `kurbani-cow`. A number is added while the slug is taken. */
export function slugFor(name: string, isTaken: (slug: string) => boolean): string {
  const base =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'category'
  if (!isTaken(base)) return base
  let number = 2
  while (isTaken(`${base}-${number}`)) number += 1
  return `${base}-${number}`
}
