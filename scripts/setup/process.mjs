import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Prints one line on the terminal. */
export function printLine(line) {
  console.log(line)
}

/** The environment with this Node first in PATH, for programs that look for `node` by name. */
export function environment(node, extra = {}) {
  const searchPath = [path.dirname(node), process.env.PATH].filter(Boolean).join(path.delimiter)
  return { ...process.env, PATH: searchPath, ...extra }
}

/** Runs a program to its end and gives its exit code; shows what it prints. */
export function run(file, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: 'inherit', ...options })
    const ignore = () => {}
    // Ctrl-C reaches the child too, which decides how it ends; we only wait for it.
    process.on('SIGINT', ignore)
    const forward = (signal) => child.kill(signal)
    process.on('SIGTERM', forward)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      process.off('SIGINT', ignore)
      process.off('SIGTERM', forward)
      resolve(exitCode(code, signal))
    })
  })
}

/** Runs a program to its end without showing what it prints: `{ code, text }`. */
export function runQuietly(file, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
    let text = ''
    child.stdout.on('data', (chunk) => (text += chunk))
    child.stderr.on('data', (chunk) => (text += chunk))
    // Left alone, it would go on writing while the next start begins. Ctrl-C reaches it too.
    const end = (signal) => child.kill(signal)
    const done = (result) => {
      for (const signal of ['SIGTERM', 'SIGHUP']) process.off(signal, end)
      resolve(result)
    }
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, end)
    child.once('error', (error) => done({ code: 1, text: error.message }))
    child.once('close', (code, signal) => done({ code: exitCode(code, signal), text }))
  })
}

/** The message about a program that the system killed; null for other exit codes. */
export function killedMessage(code) {
  const isKilled = code === 128 + constants.signals.SIGKILL
  return isKilled ? 'The system ended it, as it does when the memory is full: the set-up needs 1 GB.' : null
}

/** As a shell counts: 128 and the number of the signal. */
export function exitCode(code, signal) {
  return signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1)
}
