import { translate } from '#lib/i18n/translate.ts'
import { seasonName } from '../season-name.ts'
import { isSameWord } from './csv-columns.ts'
import type { CsvRow } from './read-csv.server.ts'

/** Replaces the seasons of rows that are written as the name of one of `known`, in either language, by its code. Other words stay. */
export function matchSeasons(rows: readonly CsvRow[], known: readonly { season: string }[]): void {
  const codes = [...new Set(known.map(({ season }) => season))]
  const namesOf = (code: string) => [code, seasonName(translate('en'), 'en', code), seasonName(translate('bn'), 'bn', code)]
  for (const { cells } of rows) {
    const cell = cells.get('season') ?? ''
    if (cell === '' || codes.includes(cell)) continue
    const code = codes.find((code) => namesOf(code).some((name) => isSameWord(name, cell)))
    if (code !== undefined) cells.set('season', code)
  }
}
