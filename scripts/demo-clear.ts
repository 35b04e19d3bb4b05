// npm run demo-clear -- [--all-orders] [--yes]
import { demoClear, USAGE } from './shop/demo-clear.ts'
import { runNamedCommand } from './shop/run-command.ts'

runNamedCommand(demoClear, USAGE)
