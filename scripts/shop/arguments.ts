import path from 'node:path'
import type { ParseArgsOptionsConfig } from 'node:util'
import { parseArguments } from '#lib/runtime/parse-arguments.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'

/** Parses the arguments of a command. Throws a `SettingsError` of one line that names its help. */
export function readArguments<T extends ParseArgsOptionsConfig>(name: string, args: string[], options: T, positionals: 0 | 1 = 0) {
  const usage = `See npm run shop -- ${name} --help.`
  const parsed = parseArguments({ args, options, allowPositionals: positionals > 0 }, usage)
  if (parsed.positionals.length === positionals && parsed.positionals[0] !== '')
    return { values: parsed.values, first: parsed.positionals[0] ?? '' }
  throw new SettingsError(`One argument is needed. ${usage}`)
}

/** A path as the operator typed it: relative to the folder in which they called npm, which itself changes to that of package.json. */
export function operatorPath(text: string): string {
  return path.resolve(process.env.INIT_CWD ?? '.', text)
}
