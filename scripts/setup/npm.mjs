import path from 'node:path'
import { environment, runQuietly } from './process.mjs'

/** Runs npm under the given Node and throws one line with its reason when it fails. */
export async function npm(node, args, options = {}) {
  const [file, ...first] = npmCommand(node)
  const { code, text } = await runQuietly(file, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    ...options,
    env: environment(node),
  })
  if (code !== 0) throw new Error(`npm ${args[0]} failed: ${reason(text)}`)
}

/** npm tells its children where it lies; started in another way, we look for it by name. */
function npmCommand(node) {
  const cli = process.env.npm_execpath
  return cli && path.basename(cli) === 'npm-cli.js' ? [node, cli] : ['npm']
}

function reason(text) {
  const lines = text.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
  const told = lines.filter((line) => line && !/^(code|errno|syscall) |complete log of this run|^npm warn/i.test(line))
  return told.slice(0, 3).join(' ') || 'it gave no reason'
}
