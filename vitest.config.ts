import { defineConfig } from 'vitest/config'

process.env.TZ ??= 'UTC'

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'code',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: ['**/node_modules/**', 'dist/**', '.*/**', 'test/fixtures/**'],
          globalSetup: ['test/setup-cluster.ts'],
          // Files of one worker share their modules: loading them anew for each file took half of the processor time.
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.ts'],
          globalSetup: ['test/setup-cluster.ts'],
          isolate: false,
          // Long timeouts, for machines under load: tests wait for states, never for a time.
          testTimeout: 240_000,
          hookTimeout: 600_000,
          expect: { poll: { timeout: 30_000 } },
          // A browser on a loaded machine may run out of time; what fails twice in a row is a fault. `test/second-tries.ts` names second tries.
          retry: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
