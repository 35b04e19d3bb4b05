import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')

/**
 * A build as the next release makes one: every script and style has another name, and those of the build before are not there.
 * It lies within the project, so that the server's part finds its packages.
 */
export function nextBuild(before = path.join(ROOT, 'dist'), mark = 'next'): { dist: string; remove(): void } {
  const cache = path.join(ROOT, '.cache')
  mkdirSync(cache, { recursive: true })
  const dist = mkdtempSync(path.join(cache, 'build-'))
  cpSync(before, dist, { recursive: true, filter: (file) => !/\.(br|gz)$/.test(file) })
  const assets = path.join(dist, 'client/assets')
  const names = readdirSync(assets).filter((name) => /\.(js|css)$/.test(name))
  const renamed = new Map(names.map((name) => [name, name.replace(/\.(js|css)$/, `-${mark}.$1`)]))
  for (const [name, to] of renamed) renameSync(path.join(assets, name), path.join(assets, to))
  for (const file of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || !/\.(js|json|css)$/.test(file.name)) continue
    const whole = path.join(file.parentPath, file.name)
    const text = readFileSync(whole, 'utf8')
    const changed = text.replaceAll(/[\w.-]+\.(?:js|css)\b/g, (name) => renamed.get(name) ?? name)
    if (changed !== text) writeFileSync(whole, changed)
  }
  return { dist, remove: () => rmSync(dist, { recursive: true, force: true }) }
}
