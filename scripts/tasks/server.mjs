import { spawn } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import path from 'node:path'
import { environment, exitCode, root } from '../setup/process.mjs'

const FLAGS = ['--disable-warning=ExperimentalWarning']

/**
 * Runs the shop. Where this process has the right Node already, it becomes the shop; else it starts it, hands on
 * signals, and gives its exit code.
 */
export async function runServer(node, { dev = false } = {}) {
  if (node === process.execPath && !dev) {
    process.chdir(root)
    hideExperimentalWarnings()
    await import(pathToFileURL(path.join(root, 'server/main.ts')).href)
    return undefined
  }
  const args = dev ? ['--watch', '--watch-preserve-output', 'server/main.ts'] : ['scripts/tasks/shop.mjs']
  return new Promise((resolve, reject) => {
    const child = spawn(node, [...FLAGS, ...args], {
      cwd: root,
      env: environment(node, dev ? { KHAMAR_DEV: '1' } : {}),
      // The fourth one carries nothing; that it closes tells the shop that we are gone.
      stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(exitCode(code, signal)))
  })
}

function hideExperimentalWarnings() {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') console.error(warning.stack ?? String(warning))
  })
}
