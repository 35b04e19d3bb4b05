import { createInterface } from 'node:readline/promises'
import { SettingsError } from '#lib/runtime/settings-error.ts'

/** Asks the operator to type yes. Throws a `SettingsError` that begins with `refusal` after another answer, and without a terminal. */
export async function confirm(question: string, refusal: string): Promise<void> {
  if (!process.stdin.isTTY) throw new SettingsError(`${refusal} To go on, add --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} Type yes to go on: `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new SettingsError(refusal)
}
