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
          maxWorkers: 1,
          // A machine under load misses a beat now and then; a second miss is a fault.
          retry: 1,
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 90_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
