import type { Env } from '#lib/runtime/env.server.ts'
import type { QueryObserver } from '#lib/db/db.server.ts'
import { slowQueryLog } from '#lib/db/slow-queries.server.ts'
import packageJson from '#package.json' with { type: 'json' }
import type { Deps } from './deps.ts'
import type { RunningMetrics } from './metrics/running-metrics.ts'
import type { Tracing } from './tracing/tracing.server.ts'

/** Starts tracing when a collector is set. The packages are loaded then only. */
export async function openTracing(env: Env, log: Deps['log'], shutdownHooks: (() => Promise<unknown>)[]): Promise<Tracing | null> {
  const { otlpEndpoint: endpoint, traceRatio: ratio } = env.observability
  if (endpoint === null) return null
  const { startTracing } = await import('./tracing/tracing.server.ts')
  const tracing = startTracing({ endpoint, ratio, version: packageJson.version, log })
  shutdownHooks.push(() => tracing.stop())
  return tracing
}

/** Starts counting when a setting asks for metrics. */
export async function openMetrics(env: Env, deps: Pick<Deps, 'db' | 'pool' | 'replica' | 'responseCache'>): Promise<RunningMetrics | null> {
  if (env.observability.metricsPort === null && env.observability.metricsToken === null) return null
  const { startMetrics } = await import('./metrics/running-metrics.ts')
  return startMetrics(deps)
}

/** What is done after each query: log a slow one, record a span. Undefined when there is nothing to do. */
export function queryObserver(env: Env, log: Deps['log'], tracing: Tracing | null): QueryObserver | undefined {
  const slow = slowQueryLog(env.observability.slowQueryMs, log)
  if (tracing === null) return slow
  return (sql, durationMs, hasFailed) => {
    slow?.(sql, durationMs)
    tracing.recordQuery(sql, durationMs, hasFailed)
  }
}
