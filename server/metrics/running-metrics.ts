import packageJson from '#package.json' with { type: 'json' }
import { observeBuckets } from '#lib/files/bucket.server.ts'
import type { Deps } from '../deps.ts'
import { Metrics } from './metrics.ts'
import { addProcessMetrics, addReplicaAge } from './process-metrics.ts'
import { addShopMetrics } from './shop-metrics.ts'

/** The metrics of this process, and how to end what they started. */
export interface RunningMetrics {
  metrics: Metrics
  /** Prometheus text. */
  text(): Promise<string>
  stop(): void
}

const MIN_MS_BETWEEN_TEXTS = 250

/** Starts counting. Loaded only when a setting asks for metrics. */
export function startMetrics({
  db,
  pool,
  replica,
  responseCache,
}: Pick<Deps, 'db' | 'pool' | 'replica' | 'responseCache'>): RunningMetrics {
  const metrics = new Metrics(responseCache.counts)
  const stopProcess = addProcessMetrics(metrics.registry, pool, packageJson.version)
  addReplicaAge(metrics.registry, replica)
  observeBuckets((...request) => metrics.recordBucket(...request))
  const stop = () => {
    observeBuckets(null)
    stopProcess()
  }
  const shop = addShopMetrics(metrics.registry, db)
  let last = { at: -Infinity, text: Promise.resolve('') }
  const text = (): Promise<string> => {
    // Concurrent scrapes share one text, so that the endpoint cannot be used to slow the shop.
    if (performance.now() - last.at > MIN_MS_BETWEEN_TEXTS)
      last = { at: performance.now(), text: shop.prepare().then(() => metrics.registry.metrics()) }
    return last.text
  }
  return { metrics, text, stop }
}
