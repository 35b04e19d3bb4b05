// npm run shop -- COMMAND [options]: everything that an operator does on the command line. Each command is a file of scripts/shop.
import { type Command, COMMANDS } from './shop/commands.ts'
import { runCommand } from './shop/run-command.ts'

async function main([name, ...args]: string[]): Promise<number> {
  const command = COMMANDS.find((one) => one.name === name)
  if (!command) {
    console.log(overview())
    if (name === undefined || name === '--help' || name === 'help') return 0
    console.error(`\nThere is no command "${name}".`)
    return 2
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

runCommand(() => main(process.argv.slice(2)))
