import path from 'node:path'
import { environment, killedMessage, runQuietly } from './process.mjs'

/** Runs npm under the given Node and throws one line with its reason when it fails. */
export async function npm(node, args, options = {}) {
  const [file, ...first] = npmCommand(node)
  const { code, text } = await runQuietly(file, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    ...options,
    env: environment(node),
  })
  if (code !== 0) throw new Error(`npm ${args[0]} failed: ${killedMessage(code) ?? reason(text)}`)
}

/** npm names its own file to the scripts it runs. Without npm above this process, it is found by name. */
function npmCommand(node) {
  const cli = process.env.npm_execpath
  return cli && path.basename(cli) === 'npm-cli.js' ? [node, cli] : ['npm']
}

/** The message of npm where it prints one; else that of the error that ended it, without its stack. */
export function reason(text) {
  const lines = text.split('\n')
  const own = lines
    .filter((line) => /^npm (error|ERR!)/.test(line))
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
    .filter((line) => line && !/^(code|errno|syscall|path) |complete log of this run|^at /i.test(line))
  const thrown = lines.map((line) => /^(?:\w*Error(?: \[\w+\])?: )(.+)/.exec(line.trim())?.[1]).find(Boolean)
  const other = lines.map((line) => line.trim()).find((line) => line && !isOfStack(line))
  return own.slice(0, 3).join(' ') || thrown || other || 'it gave no reason'
}

function isOfStack(line) {
  return /^(at |\^|throw |Node\.js v|npm warn|[{}])|^(file:|node:|\/).*:\d+$/i.test(line)
}
