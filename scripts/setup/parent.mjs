import { HAS_TERMINAL } from '../../lib/runtime/terminal.mjs'

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
  // Under nohup the hang-up ends npm alone.
  if (!HAS_TERMINAL) process.on('SIGHUP', () => clearInterval(timer))
}
