import { Counter, Histogram, Registry } from 'prom-client'

/** Seconds. Most pages take a few milliseconds; a reply times out after ten seconds. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const BUCKET_BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 30]
const JOB_BUCKETS = [0.01, 0.1, 1, 10, 60, 600]

/** The route of responses from the response cache, which are sent before routing. */
const CACHE_ROUTE = '(cache)'

/** Totals of the response cache. Plain numbers, because it serves tens of thousands a second. */
export interface CacheCounts {
  hits: number
  notModified: number
  misses: number
}

/** What one process counts. All names begin with `khamar_`; labels hold route patterns and states, never a customer's input. */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests: Counter<'method' | 'route' | 'status'>
  readonly #durations: Histogram<'route'>
  readonly #jobRuns: Counter<'scheduled_job' | 'result'>
  readonly #jobDurations: Histogram<'scheduled_job'>
  readonly #bucketDurations: Histogram<'operation' | 'result'>

  constructor(cache: CacheCounts) {
    const registers = [this.registry]
    addCacheCounts(this.registry, cache)
    this.#requests = new Counter({
      name: 'khamar_http_requests_total',
      help: 'Responses by method, route pattern and status',
      labelNames: ['method', 'route', 'status'],
      registers,
      collect() {
        for (const [status, count] of [[200, cache.hits - cache.notModified] as const, [304, cache.notModified] as const]) {
          const labels = { method: 'GET', route: CACHE_ROUTE, status }
          this.remove(labels)
          this.inc(labels, count)
        }
      },
    })
    this.#durations = new Histogram({
      name: 'khamar_http_request_duration_seconds',
      help: 'Time from the request to the end of its response, by route pattern; without responses from the cache',
      labelNames: ['route'],
      buckets: REQUEST_BUCKETS,
      registers,
    })
    this.#jobRuns = new Counter({
      name: 'khamar_job_runs_total',
      help: 'Runs of the scheduled jobs by result (ok, failed)',
      labelNames: ['scheduled_job', 'result'],
      registers,
    })
    this.#jobDurations = new Histogram({
      name: 'khamar_job_duration_seconds',
      help: 'Time a run of a scheduled job took',
      labelNames: ['scheduled_job'],
      buckets: JOB_BUCKETS,
      registers,
    })
    this.#bucketDurations = new Histogram({
      name: 'khamar_bucket_request_duration_seconds',
      help: 'Time of requests to buckets, with their retries, by operation and result (ok, failed)',
      labelNames: ['operation', 'result'],
      buckets: BUCKET_BUCKETS,
      registers,
    })
  }

  recordRequest(method: string, route: string, status: number, seconds: number): void {
    this.#requests.inc({ method, route, status })
    this.#durations.observe({ route }, seconds)
  }

  recordJob(job: string, result: 'ok' | 'failed', seconds: number): void {
    this.#jobRuns.inc({ scheduled_job: job, result })
    this.#jobDurations.observe({ scheduled_job: job }, seconds)
  }

  recordBucket(operation: string, result: 'ok' | 'failed', seconds: number): void {
    this.#bucketDurations.observe({ operation, result }, seconds)
  }
}

/** A counter that takes over the totals of the response cache at each scrape. */
function addCacheCounts(registry: Registry, counts: CacheCounts): void {
  registry.registerMetric(
    new Counter({
      name: 'khamar_response_cache_total',
      help: 'Cacheable anonymous responses: sent from memory (hit) or rendered (miss)',
      labelNames: ['result'],
      registers: [],
      collect() {
        this.reset()
        this.inc({ result: 'hit' }, counts.hits)
        this.inc({ result: 'miss' }, counts.misses)
      },
    }),
  )
}
