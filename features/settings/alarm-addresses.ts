/** The addresses of a list separated by commas, semicolons, spaces or lines, each once. */
export function alarmAddresses(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter(Boolean))]
}
