import { globSync, readFileSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongFilesFirst } from './test/long-files-first.ts'

process.env.TZ ??= 'UTC'

const MIN_MEMORY_BYTES = 6 * 1024 ** 3

/** A folder in memory with enough room: databases and data folders of tests need not reach the disk. */
function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= MIN_MEMORY_BYTES ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}

/** Twice the cores, at most four. */
const WORKERS = Math.min(4, availableParallelism() * 2)

const folder = process.env.TMPDIR ?? memoryFolder()
if (folder) process.env.TMPDIR = folder

/** Tests that replace modules: they need their own copy of every module, which others of the same worker have loaded already. */
const ISOLATED = globSync('{components,db,dev,features,lib,messages,page,scripts,server,site,test}/**/*.test.{ts,tsx}').filter((file) =>
  /\bvi\.mock\(/.test(readFileSync(file, 'utf8')),
)
/** A loaded machine may run out of time; what fails three times in a row is a fault. `test/closing-reporter.ts` names what passed late. */
const RETRY = { retry: 2 }
const CODE = {
  globalSetup: ['test/setup-cluster.ts'],
  // Long timeouts, for machines under load.
  testTimeout: 120_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000 } },
  ...RETRY,
}

/**
 * Tests that slow the browser's CPU down, or whose keys follow each other as fast as a scanner's: each has a core. They run after all
 * others, as many at once as there are cores, at most two.
 */
const ALONE = ['test/e2e/early-presses.e2e.ts', 'test/e2e/early-typing.e2e.ts', 'test/e2e/pos-scans.e2e.ts', 'test/e2e/pos-stress.e2e.ts']
const BROWSER = {
  globalSetup: ['test/setup-cluster.ts'],
  // Files of one worker share its browser.
  isolate: false,
  // Long timeouts, for machines under load: tests wait for states, never for a time.
  testTimeout: 400_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
  ...RETRY,
}

export default defineConfig({
  test: {
    // The built pages are one file of some megabytes: Node loads it in a third of the time.
    server: { deps: { external: [/\/dist\/server\//] } },
    // Browser tests mostly wait: four at once keep two cores busy.
    maxWorkers: WORKERS,
    // A message shows the values of a short list, which `…(1)` hides.
    chaiConfig: { truncateThreshold: 600 },
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'code',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: ['**/node_modules/**', 'dist/**', '.*/**', 'test/fixtures/**', ...ISOLATED],
          // Files of one worker share their modules: loading them for each file takes half of the processor time.
          isolate: false,
          setupFiles: ['test/fresh-page.ts'],
          ...CODE,
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED, ...CODE } },
      {
        extends: true,
        test: { name: 'e2e', include: ['test/e2e/**/*.e2e.ts'], exclude: ALONE, ...BROWSER },
      },
      {
        extends: true,
        test: {
          name: 'e2e-alone',
          include: ALONE,
          ...BROWSER,
          maxWorkers: Math.min(2, availableParallelism()),
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
