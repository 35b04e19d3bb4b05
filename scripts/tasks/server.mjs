import { spawn } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { environment, exitCode, root } from '../setup/process.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs the shop. Where this process has the right Node already, it becomes the shop; else it starts it, hands on
 * signals, and gives its exit code.
 */
export async function runServer(node) {
  if (node === process.execPath) {
    process.chdir(root)
    hideExperimentalWarnings()
    await import(pathToFileURL(path.join(root, 'server/main.mjs')).href)
    return undefined
  }
  const shop = startShop(node)
  for (const signal of SIGNALS) process.on(signal, () => shop.child.kill(signal))
  return shop.ended
}

/** Starts the shop as a child: the process, and a promise of its exit code. */
export function startShop(node, extra = {}) {
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', 'scripts/tasks/shop.mjs'], {
    cwd: root,
    env: environment(node, extra),
    // Nothing is sent over the fourth, a pipe: it closes when this process ends, which ends the shop.
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  })
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(exitCode(code, signal)))
  })
  return { child, ended }
}

function hideExperimentalWarnings() {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') console.error(warning.stack ?? String(warning))
  })
}
