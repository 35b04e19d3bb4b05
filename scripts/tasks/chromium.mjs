import { accessSync, constants } from 'node:fs'
import { runQuietly, tell } from '../setup/process.mjs'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The path of a browser for the browser tests; on Debian, root gets one installed. Throws one clear line. */
export async function ensureChromium() {
  const found = find()
  if (found) return found
  if (process.env.CHROME_PATH) throw new Error(`CHROME_PATH ${process.env.CHROME_PATH} is not a program.`)
  if (process.getuid?.() === 0 && (await runQuietly('apt-get', ['--version'])).code === 0) {
    tell('Installing Chromium for the browser tests (once)…')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await runQuietly('apt-get', ['update', '-q'], { env })
    await runQuietly('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { env })
  }
  const installed = find()
  if (!installed) throw new Error('The browser tests need Chromium or Chrome: install it, or set CHROME_PATH.')
  return installed
}

function find() {
  const places = process.env.CHROME_PATH ? [process.env.CHROME_PATH] : PLACES
  return places.find(isProgram)
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
