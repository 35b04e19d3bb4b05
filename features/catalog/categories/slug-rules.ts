/** What a name becomes in addresses: `Kurbani Cow` → `kurbani-cow`; a number is added while others have that. */
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
