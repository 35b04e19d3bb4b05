import { z } from 'zod'
import { hostName, httpUrl, wholeNumberSetting } from './parse-settings.ts'

/** Settings of metrics, logs and traces. */
export interface ObservabilitySettings {
  /** Port of the metrics alone; null serves them on no port of their own. */
  metricsPort: number | null
  metricsHost: string
  /** Opens `/metrics` to requests with `Authorization: Bearer …`; null keeps it off the shop's port. */
  metricsToken: string | null
  /** Milliseconds from which a query is logged; 0 logs none. */
  slowQueryMs: number
  /** URL of an OpenTelemetry collector; null records no traces. */
  otlpEndpoint: string | null
  /** The share of requests that are traced, 0 to 1. */
  traceRatio: number
}

const DEFAULT_METRICS_HOST = '127.0.0.1'
const DEFAULT_SLOW_QUERY_MS = 1_000
const MIN_TOKEN_LENGTH = 16

/** The schema's part of the environment variables. */
export const observabilityVariables = {
  METRICS_PORT: wholeNumberSetting('METRICS_PORT', 1, 65_535).optional(),
  METRICS_HOST: hostName('METRICS_HOST').default(DEFAULT_METRICS_HOST),
  METRICS_TOKEN: z
    .string()
    .refine((text) => text.length >= MIN_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(text), {
      error: `METRICS_TOKEN must have at least ${MIN_TOKEN_LENGTH} characters without spaces (make one with: openssl rand -hex 16).`,
    })
    .optional(),
  SLOW_QUERY_MS: wholeNumberSetting('SLOW_QUERY_MS', 0, 600_000).default(DEFAULT_SLOW_QUERY_MS),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318').optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine((text) => /^(0?\.\d+|[01](\.0+)?)$/.test(text), {
      error: (issue) => `OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${String(issue.input)}".`,
    })
    .transform(Number)
    .default(1),
}

type Variables = z.infer<z.ZodObject<typeof observabilityVariables>>

/** The settings from their environment variables. */
export function observabilitySettings(variables: Variables): ObservabilitySettings {
  return {
    metricsPort: variables.METRICS_PORT ?? null,
    metricsHost: variables.METRICS_HOST,
    metricsToken: variables.METRICS_TOKEN ?? null,
    slowQueryMs: variables.SLOW_QUERY_MS,
    otlpEndpoint: variables.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    traceRatio: variables.OTEL_TRACES_SAMPLER_ARG,
  }
}
