import { monitorEventLoopDelay } from 'node:perf_hooks'
import type pg from 'pg'
import { Counter, Gauge, type Registry } from 'prom-client'

const LOOP_RESOLUTION_MS = 20
const NANOSECONDS = 1e9

/** Memory, processor time, event loop, and the pool of database connections. Returns a stop function. */
export function addProcessMetrics(registry: Registry, pool: pg.Pool, version: string): () => void {
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  const started = Date.now() / 1000 - process.uptime()
  const info = new Gauge({ name: 'khamar_info', help: 'The version that runs', labelNames: ['version'], registers })
  info.set({ version }, 1)
  gauge('process_start_time_seconds', 'Start of the process, in Unix time', () => started)
  gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss())
  gauge('khamar_heap_used_bytes', 'Memory of JavaScript objects', () => process.memoryUsage().heapUsed)
  gauge('khamar_db_pool_used', 'Database connections in use', () => pool.totalCount - pool.idleCount)
  gauge('khamar_db_pool_size', 'Database connections that are open', () => pool.totalCount)
  gauge('khamar_db_pool_max', 'Database connections that may be open', () => pool.options.max)
  gauge('khamar_db_pool_waiting', 'Queries that wait for a database connection', () => pool.waitingCount)
  registry.registerMetric(
    new Counter({
      name: 'process_cpu_seconds_total',
      help: 'Processor time of this process',
      registers: [],
      collect() {
        const { user, system } = process.cpuUsage()
        this.reset()
        this.inc((user + system) / 1e6)
      },
    }),
  )
  return addEventLoopLag(registry)
}

/** The age of the replica as this process sees it; without a replica the series is missing. */
export function addReplicaAge(registry: Registry, replica: { ageSeconds(): number } | null): void {
  registry.registerMetric(
    new Gauge({
      name: 'khamar_replica_age_seconds',
      help: 'Age of the data that the replica shows; +Inf while it cannot be used',
      registers: [],
      collect() {
        if (replica) this.set(replica.ageSeconds())
        else this.remove()
      },
    }),
  )
}

/** The delay of the event loop since the last scrape. */
function addEventLoopLag(registry: Registry): () => void {
  const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
  delay.enable()
  registry.registerMetric(
    new Gauge({
      name: 'khamar_event_loop_lag_seconds',
      help: 'Delay of the event loop since the last scrape, by quantile (0.5, 0.99, 1)',
      labelNames: ['quantile'],
      registers: [],
      collect() {
        // The histogram holds whole intervals of the timer.
        const lag = (nanoseconds: number) => Math.max(0, nanoseconds / NANOSECONDS - LOOP_RESOLUTION_MS / 1000)
        this.set({ quantile: '0.5' }, lag(delay.percentile(50)))
        this.set({ quantile: '0.99' }, lag(delay.percentile(99)))
        this.set({ quantile: '1' }, lag(delay.max))
        delay.reset()
      },
    }),
  )
  return () => void delay.disable()
}
