import { watch } from 'node:fs'
import path from 'node:path'
import { root, printLine } from '../setup/process.mjs'
import { SOURCES } from './server-folder.mjs'
import { startShop } from './server.mjs'

const PAUSE_MS = 150

/**
 * The shop during development. Vite brings changes of pages and styles into the open browser. A change of a source of the server
 * restarts it (Node's own --watch would also follow every file that Vite loads).
 */
export function runDevServer(node) {
  return new Promise((resolve) => {
    let shop = start()
    let ending = false
    let timer

    function start() {
      const started = startShop(node, { KHAMAR_DEV: '1' })
      void started.ended.then((code) => {
        if (ending) resolve(code)
        else if (shop === started && !started.child.killed) printLine('It ended; change something to start it again.')
      })
      return started
    }

    async function restart(file) {
      printLine(`${file} changed; starting again…`)
      const before = shop
      before.child.kill('SIGTERM')
      await before.ended
      // Another change may have come before it ended: the shop starts once.
      if (!ending && shop === before) shop = start()
    }

    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => {
        ending = true
        const isRunning = shop.child.kill(signal)
        if (!isRunning) resolve(0)
      })
    }
    for (const folder of SOURCES) {
      watch(path.join(root, folder), { recursive: true }, (_event, name) => {
        const file = `${folder}/${name}`
        if (!concernsServer(file) || ending) return
        clearTimeout(timer)
        timer = setTimeout(() => void restart(file), PAUSE_MS)
      })
    }
  })
}

function concernsServer(file) {
  return /\.(ts|sql)$|\.server\.tsx$/.test(file) && !file.endsWith('.test.ts')
}
