import { environment, run } from '../setup/process.mjs'

/** Runs a TypeScript file of the project to its end. */
export function runScript(node, file, args) {
  return run(node, ['--disable-warning=ExperimentalWarning', file, ...args], { env: environment(node) })
}

/** Runs a program that a package brought. */
export function runTool(node, name, args, options = {}) {
  return run(node, [`node_modules/.bin/${name}`, ...args], { env: environment(node), ...options })
}
