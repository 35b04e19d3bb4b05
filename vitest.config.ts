import { statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

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

const folder = process.env.TMPDIR ?? memoryFolder()
if (folder) process.env.TMPDIR = folder

/** Tests that replace modules: they need their own copy of every module. */
const ISOLATED = ['features/auth/http/hashing.test.ts']
const CODE = {
  globalSetup: ['test/setup-cluster.ts'],
  // Long timeouts, for machines under load.
  testTimeout: 120_000,
  hookTimeout: 300_000,
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'code',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: ['**/node_modules/**', 'dist/**', '.*/**', 'test/fixtures/**', ...ISOLATED],
          // Files of one worker share their modules: loading them for each file takes half of the processor time.
          isolate: false,
          ...CODE,
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED, ...CODE } },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.ts'],
          globalSetup: ['test/setup-cluster.ts'],
          maxWorkers: 1,
          fileParallelism: false,
          // Long timeouts, for machines under load: tests wait for states, never for a time.
          testTimeout: 400_000,
          hookTimeout: 600_000,
          expect: { poll: { timeout: 60_000 } },
          // A browser on a loaded machine may run out of time; what fails twice in a row is a fault. `test/retried-tests.ts` names second tries.
          retry: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
