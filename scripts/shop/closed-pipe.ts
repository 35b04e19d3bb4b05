/** Lets a command finish when the reader of its output has gone, as after `| head -1`: the next line would end it in the middle. */
export function ignoreClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
}
