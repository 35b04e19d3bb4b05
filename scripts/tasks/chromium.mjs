import { accessSync, constants } from 'node:fs'
import { runQuietly, printLine } from '../setup/process.mjs'

/** Chromium without a window: a page costs it some 40 % less processor time than Chromium with `--headless`. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const PLACES = [
  HEADLESS_SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The path of a browser for the browser tests; on Debian, root gets one installed. Throws one clear line. */
export async function ensureChromium() {
  if (process.env.CHROME_PATH) {
    if (isProgram(process.env.CHROME_PATH)) return process.env.CHROME_PATH
    throw new Error(`CHROME_PATH ${process.env.CHROME_PATH} is not a program.`)
  }
  if (!isProgram(HEADLESS_SHELL)) await install('chromium-headless-shell')
  // The test with a camera needs the whole browser.
  if (!PLACES.slice(1).some(isProgram)) await install('chromium')
  const found = PLACES.find(isProgram)
  if (!found) throw new Error('The browser tests need Chromium or Chrome: install it, or set CHROME_PATH.')
  return found
}

/** Installs a package on Debian as root; elsewhere it does nothing. */
async function install(name) {
  if (process.getuid?.() !== 0 || (await runQuietly('apt-get', ['--version'])).code !== 0) return
  printLine('Installing Chromium for the browser tests (once)…')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await runQuietly('apt-get', ['update', '-q'], { env })
  await runQuietly('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], { env })
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
