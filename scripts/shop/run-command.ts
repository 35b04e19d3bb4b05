/** Runs a command of the command line: its exit code is that of the process, and an error is explained and gives 1. */
export function runCommand(main: () => Promise<number>): void {
  ignoreClosedPipe()
  main().then(
    (code) => {
      process.exitCode = code
    },
    async (error: unknown) => {
      // It knows the errors of the whole server: loading them takes twice as long as a help text.
      const { explainError } = await import('./explain-error.ts')
      console.error(explainError(error))
      process.exitCode = 1
    },
  )
}

/** Runs a command that has an npm script of its own. `--help` prints its usage. */
export function runNamedCommand(command: (args: string[]) => Promise<number>, usage: string): void {
  const args = process.argv.slice(2)
  if (args.includes('--help')) return console.log(usage)
  runCommand(() => command(args))
}

/** Lets a command finish when the reader of its output has gone, as after `| head -1`: the next line would end it in the middle. */
function ignoreClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
}
