import path from 'node:path'
import { withSetupLock } from '../setup/lock.mjs'
import { NEEDED } from '../setup/node.mjs'
import { ensurePages } from '../setup/pages.mjs'
import { root, printLine } from '../setup/process.mjs'
import { writeServerFolder } from './server-folder.mjs'

/**
 * `npm run build` builds the pages into dist/. `npm run build -- --out FOLDER` also writes a folder with everything a server needs
 * beside the production packages.
 */
export async function build(node, args) {
  const out = outFolder(args)
  await ensurePages(node, { always: out === undefined })
  if (out === undefined) return 0
  const target = path.resolve(process.env.INIT_CWD ?? root, out)
  await withSetupLock(async () => writeServerFolder(target))
  printLine(
    `Written: ${target}\nInstall its packages there with: npm install --omit=dev --no-save\nStart it there with: npm start (Node ${NEEDED} or later)`,
  )
  return 0
}

function outFolder(args) {
  if (args.length === 0) return undefined
  const [flag, value] = args[0].startsWith('--out=') ? ['--out', args[0].slice(6)] : args
  if (flag !== '--out' || !value || args.length > 2) throw new Error('Usage: npm run build [-- --out FOLDER]')
  return value
}
