/** The text of the first field error, as the message of the whole response. */
export function firstError(errors: Record<string, string[]>): string {
  return Object.values(errors)[0]?.[0] ?? ''
}
