import { parseArgs, type ParseArgsConfig } from 'node:util'
import { SettingsError } from './settings-error.ts'

/** Parses the arguments of a command. Throws a `SettingsError` of one line that ends with `usage`. */
export function parseArguments<const T extends ParseArgsConfig>(config: T, usage: string) {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new SettingsError(`${(error as Error).message.split(/[.\n]/)[0]}. ${usage}`)
  }
}
