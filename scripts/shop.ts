// npm run shop -- COMMAND [options]: everything that an operator does on the command line. Each command is a file of scripts/shop.
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { BackupFileError } from '#features/backup/archive/format.ts'
import { BucketError } from '#lib/files/bucket-error.server.ts'
import { errorText } from '#lib/runtime/log.server.ts'
import { DatabaseStartError } from '#server/embedded-postgres.ts'
import { MigrationError } from '#server/apply-migration.ts'
import { explainUnusable } from '#server/database-refused.ts'
import { type Command, COMMANDS } from './shop/commands.ts'

const EXPECTED = [SettingsError, BackupFileError, BucketError, DatabaseStartError, MigrationError]

async function main([name, ...args]: string[]): Promise<number> {
  const command = COMMANDS.find((one) => one.name === name)
  if (!command) {
    console.log(overview())
    return name === undefined || name === '--help' || name === 'help' ? 0 : 2
  }
  if (args.includes('--help')) {
    console.log(helpOf(command))
    return 0
  }
  return command.run(args)
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  const list = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return ['npm run shop -- COMMAND [options]', '', ...list, '', 'npm run shop -- COMMAND --help explains a command.'].join('\n')
}

function helpOf({ name, summary, usage, help }: Command): string {
  return [`npm run shop -- ${[name, usage].filter(Boolean).join(' ')}`, '', summary, '', help].join('\n')
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (thrown: unknown) => {
    const error = explainUnusable(thrown)
    console.error(EXPECTED.some((kind) => error instanceof kind) ? (error as Error).message : errorText(error))
    process.exitCode = 1
  },
)
