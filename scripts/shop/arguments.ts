import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { SettingsError } from '#lib/runtime/settings-error.ts'

/** Parses the arguments of a command. Throws a `SettingsError` of one line that leads to its help. */
export function readArguments<T extends ParseArgsOptionsConfig>(name: string, args: string[], options: T, positionals: 0 | 1 = 0) {
  const usage = `See npm run shop -- ${name} --help.`
  try {
    const parsed = parseArgs({ args, options, allowPositionals: positionals > 0 })
    if (parsed.positionals.length === positionals) return { values: parsed.values, first: parsed.positionals[0] ?? '' }
  } catch (error) {
    throw new SettingsError(`${(error as Error).message.split(/[.\n]/)[0]}. ${usage}`)
  }
  throw new SettingsError(usage)
}
