import { spawn } from 'node:child_process'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')
/** Compiled sources of the runs before, as the shop caches them itself: half the processor time of a short script. */
const NODE_COMPILE_CACHE = path.join(ROOT, '.cache/compile')

export type ScriptEnd = { code: number | null; output: string }

type Options = { args?: string[]; env: Record<string, string>; stdin?: string; nice?: number }

/**
 * Runs a TypeScript file of the project to its end, with these settings alone: its exit code and everything that it printed. A backup that is given
 * `nice` does not lower its priority, with which it may take minutes beside other tests.
 */
export function runScript(file: string, { args = [], env, stdin = '', nice }: Options): Promise<ScriptEnd> {
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', path.join(ROOT, file), ...args]
  if (nice !== undefined) command.unshift('nice', '-n', String(nice))
  const child = spawn(command[0]!, command.slice(1), {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TZ: 'UTC', NODE_COMPILE_CACHE, ...env },
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  child.stdin.end(stdin)
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}
