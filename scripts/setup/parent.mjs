/**
 * When npm is killed, the shell and we are left without it, and would run on unseen: then this process ends itself as
 * on SIGTERM. Only under npm; who starts the script by hand may well leave it running alone.
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
}
