// Loaded only when OTEL_EXPORTER_OTLP_ENDPOINT is set: without it no span is made and no package is read.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { shortSql } from '#lib/db/slow-queries.server.ts'
import { LogThrottle } from '#lib/runtime/log-throttle.ts'

/** A collector that hangs costs memory for this many spans; later ones are dropped. */
const MAX_QUEUED_SPANS = 2_048
const EXPORT_TIMEOUT_MS = 5_000
const EXPORT_EVERY_MS = 2_000
/** The last spans at a stop may take this long. */
const STOP_MS = 1_000

interface TracingOptions {
  endpoint: string
  ratio: number
  version: string
  log: { warn(fields: object, message: string): void }
}

/** A span of a request, and the context in which the queries of the request are its children. */
export interface RequestTrace {
  span: Span
  context: Context
}

export type Tracing = ReturnType<typeof startTracing>

/** Records spans of requests and database queries, and sends them to the collector in batches. A collector that fails is only logged. */
export function startTracing({ endpoint, ratio, version, log }: TracingOptions) {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS })
  const processor = new BatchSpanProcessor({
    exporter: warnOfFailures(exporter, log),
    maxQueueSize: MAX_QUEUED_SPANS,
    scheduledDelayMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': process.env.OTEL_SERVICE_NAME || 'khamar', 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [processor],
  })
  const tracer = provider.getTracer('khamar')
  const current = new AsyncLocalStorage<Context>()
  return {
    /** Starts the span of a request; `parent` is the `traceparent` header of a trusted proxy. */
    startRequest(method: string, parent: string | undefined): RequestTrace {
      const outer = remoteContext(parent)
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }, outer)
      return { span, context: trace.setSpan(outer, span) }
    },
    /** Runs a step of the request so that its queries become children of the span. */
    run(request: RequestTrace, step: () => void): void {
      current.run(request.context, step)
    },
    endRequest({ span }: RequestTrace, method: string, route: string, status: number): void {
      span.updateName(`${method} ${route}`)
      span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
    /** Records a query that has ended. Its text has no values. */
    recordQuery(sql: string, durationMs: number, hasFailed: boolean): void {
      const outer = current.getStore()
      if (outer === undefined || !((trace.getSpanContext(outer)?.traceFlags ?? 0) & TraceFlags.SAMPLED)) return
      const text = shortSql(sql)
      const endedAt = Date.now()
      const span = tracer.startSpan(
        `db ${/^\w+/.exec(text)?.[0].toLowerCase() ?? 'query'}`,
        {
          kind: SpanKind.CLIENT,
          startTime: endedAt - durationMs,
          attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
        },
        outer,
      )
      if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(endedAt)
    },
    /** Sends what is left, for a second at most. */
    async stop(): Promise<void> {
      const late = new Promise<void>((resolve) => setTimeout(resolve, STOP_MS).unref())
      await Promise.race([provider.shutdown().catch(() => {}), late])
    },
  }
}

/** The context of a W3C `traceparent` header, or an empty one. */
function remoteContext(header: string | undefined): Context {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header ?? '') ?? []
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags!, 16) & 1, isRemote: true })
}

/** Logs a failed export once a minute, without the collector's words. */
function warnOfFailures(exporter: SpanExporter, log: TracingOptions['log']): SpanExporter {
  const failures = new LogThrottle()
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result
        if (error) failures.run((more) => log.warn({ spans: spans.length, error: error.name, ...more }, 'traces not sent'))
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}
