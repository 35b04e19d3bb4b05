// npm run owner -- --phone 01712345678 --name "Abdul Karim" [--password-stdin]
import { owner, USAGE } from './shop/owner.ts'
import { runNamedCommand } from './shop/run-command.ts'

runNamedCommand(owner, USAGE)
