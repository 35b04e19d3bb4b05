import { defineConfig } from 'vitest/config'

process.env.TZ ??= 'UTC'

/** Tests that replace modules: they need their own copy of every module. */
const ISOLATED = ['server/routes/identity/hashing.test.ts']
const CODE = {
  globalSetup: ['test/setup-cluster.ts'],
  testTimeout: 20_000,
  hookTimeout: 30_000,
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
          isolate: false,
          // Long timeouts, for machines under load: tests wait for states, never for a time.
          testTimeout: 400_000,
          hookTimeout: 600_000,
          expect: { poll: { timeout: 60_000 } },
          // A browser on a loaded machine may run out of time; what fails twice in a row is a fault. `test/second-tries.ts` names second tries.
          retry: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
