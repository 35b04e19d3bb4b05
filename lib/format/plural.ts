/** An English count with its noun: `plural('1', 'day')` → "1 day", `plural('12', 'day')` → "12 days". The count is already formatted. */
export function plural(count: string, one: string, many = `${one}s`): string {
  return `${count} ${count === '1' ? one : many}`
}
