import { isatty } from 'node:tty'

/**
 * Ends this process as on SIGTERM when npm, its parent, was killed: it would go on without a terminal. A process that was started
 * without npm may outlive its parent.
 */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  timer.unref()
  // Under nohup, which leaves no terminal, the hang-up ends npm alone.
  if (![0, 1, 2].some((fd) => isatty(fd))) process.on('SIGHUP', () => clearInterval(timer))
}
