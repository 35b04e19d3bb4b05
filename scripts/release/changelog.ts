/** `1.2.3`, without suffix. */
export const VERSION = /^(\d+)\.(\d+)\.(\d+)$/

/** A section of CHANGELOG.md: `## 0.2.0 - 2026-11-23`, or `unreleased` for the date. */
interface Section {
  version: string
  date: string
  notes: string
}

const HEADING = /^## (\S+) - (\S+)$/

/** The newest section; null when the file does not begin with one. */
export function newestSection(changelog: string): Section | null {
  const lines = changelog.split('\n')
  const start = lines.findIndex((line) => line.startsWith('## '))
  const [, version, date] = HEADING.exec(lines[start] ?? '') ?? []
  if (version === undefined || date === undefined) return null
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '))
  const end = length < 0 ? lines.length : start + 1 + length
  return {
    version,
    date,
    notes: lines
      .slice(start + 1, end)
      .join('\n')
      .trim(),
  }
}

/** The changelog with the release date instead of `unreleased`. */
export function withDate(changelog: string, version: string, date: string): string {
  return changelog.replace(`## ${version} - unreleased`, `## ${version} - ${date}`)
}

/** Whether a version is higher than another one; both as `1.2.3`. */
export function isHigher(version: string, other: string): boolean {
  const parts = (text: string) => VERSION.exec(text)!.slice(1).map(Number)
  const [a, b] = [parts(version), parts(other)]
  const at = a.findIndex((part, index) => part !== b[index])
  return at >= 0 && a[at]! > b[at]!
}
