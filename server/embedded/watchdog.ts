import { spawn } from 'node:child_process'

// Waits for a word from the shop. If its input ends without one, the shop was killed, and the database is stopped:
// fast, and after five seconds the hard way.
const SCRIPT = `
trap '' INT TERM HUP
word=
read -r word || :
[ -n "$word" ] && exit 0
kill -INT "$1" 2>/dev/null || exit 0
for i in 1 2 3 4 5; do sleep 1; kill -0 "$1" 2>/dev/null || exit 0; done
kill -QUIT "$1" 2>/dev/null
`

/**
 * Sees to it that the process `pid` does not outlive this one, even if this one is killed. Call the returned function
 * once `pid` has ended.
 */
export function watchOver(pid: number): () => void {
  const dog = spawn('/bin/sh', ['-c', SCRIPT, 'khamar-watchdog', String(pid)], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a shell, the next start stops the remaining server.
  dog.on('error', () => {})
  dog.stdin.on('error', () => {})
  dog.unref()
  ;(dog.stdin as unknown as { unref(): void }).unref()
  return () => dog.stdin.end('done\n')
}
