// The entry of `npm start`, `npm test` and the other scripts of package.json. Installs what a fresh machine lacks: Node 24, the packages, the
// built pages. Until then it runs on Node 20 or later.
import { ensureNode } from './setup/node.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { ensurePages } from './setup/pages.mjs'
import { endWithNpm } from './setup/parent.mjs'
import { printLine } from './setup/process.mjs'
import { build } from './tasks/build.mjs'
import { check } from './tasks/check.mjs'
import { runDevServer } from './tasks/dev.mjs'
import { runServer } from './tasks/server.mjs'
import { test } from './tasks/test.mjs'
import { runScript } from './tasks/script.mjs'

const tasks = {
  async start(node) {
    await ensurePages(node)
    return runServer(node)
  },
  dev: runDevServer,
  build,
  owner: (node, args) => runScript(node, 'scripts/owner.ts', args),
  'demo-clear': (node, args) => runScript(node, 'scripts/demo-clear.ts', args),
  shop: (node, args) => runScript(node, 'scripts/shop.ts', args),
  release: (node, args) => runScript(node, 'scripts/release.ts', args),
  seed: (node, args) => runScript(node, 'scripts/seed.ts', args),
  async bench(node, args) {
    await ensurePages(node)
    return runScript(node, 'bench/main.ts', args)
  },
  schema: (node, args) => runScript(node, 'scripts/dump-schema.ts', args),
  test,
  check,
}

endWithNpm()
const [name = 'start', ...args] = process.argv.slice(2)
try {
  const task = tasks[name]
  if (!task) throw new Error(`There is no "${name}"; there are: ${Object.keys(tasks).join(', ')}.`)
  const node = await ensureNode()
  await ensurePackages(node)
  const code = await task(node, args)
  if (code !== undefined) process.exit(code)
} catch (error) {
  printLine(error.message)
  process.exit(1)
}
