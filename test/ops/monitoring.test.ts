import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMetrics } from '#server/metrics/running-metrics.ts'
import { testDb } from '#test/db.ts'
import { freePort } from '#test/free-port.ts'
import { startShop, type Shop } from '#test/server.ts'

const OPS = path.resolve(import.meta.dirname, '../../ops')
const NAME = /\b(?:khamar|process)_[a-z_]+\b/g
/** Suffixes of a histogram's series. */
const SERIES = /_(bucket|sum|count)$/

let shop: Shop
let port: number
beforeAll(async () => {
  port = await freePort()
  shop = await startShop({ env: { METRICS_PORT: String(port) } })
})
afterAll(() => shop.stop())

async function metricNames(): Promise<Set<string>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
}

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[]
}

const dashboard = JSON.parse(readFileSync(path.join(OPS, 'grafana/khamar.json'), 'utf8')) as Dashboard
const dashboardText = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')
const alerts = readFileSync(path.join(OPS, 'prometheus/alerts.yml'), 'utf8')
const namesIn = (text: string) => new Set([...text.matchAll(NAME)].map(([name]) => name.replace(SERIES, '')))

it('the dashboard and the alerts name metrics that exist', async () => {
  const names = await metricNames()
  expect([...namesIn(dashboardText)].filter((name) => !names.has(name))).toEqual([])
  expect([...namesIn(alerts)].filter((name) => !names.has(name))).toEqual([])
  expect(namesIn(alerts).size).toBeGreaterThan(8)
})

it('the dashboard shows every metric', async () => {
  const shown = namesIn(dashboardText)
  expect([...(await metricNames())].filter((name) => !shown.has(name))).toEqual([])
})

describe('labels', async () => {
  const { db, pool } = await testDb({ max: 1 })
  const counts = { hits: 0, notModified: 0, misses: 0 }
  const running = startMetrics({ db, pool, replica: null, responseCache: { counts } as never })
  const exported = new Set(
    running.metrics.registry.getMetricsAsArray().flatMap((metric) => (metric as { labelNames?: string[] }).labelNames ?? []),
  )
  running.stop()
  /** Prometheus sets them for the target, and calls a label of that name in the answer "exported_job". */
  const OF_TARGET = ['job', 'instance']

  it('of metrics are none that Prometheus sets itself', () => {
    expect(exported.size).toBeGreaterThan(5)
    expect(OF_TARGET.filter((label) => exported.has(label))).toEqual([])
  })

  it.each([
    ['panels', dashboardText],
    ['alerts', alerts],
  ])('that %s ask for exist', (_what, text) => {
    const grouped = [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(/, ?/))
    const selected = [...text.matchAll(/(?<=[{,])(\w+)(?==~?"|!=)/g)].map(([, name]) => name!)
    const asked = new Set([...grouped, ...selected])
    expect(asked.size).toBeGreaterThan(4)
    expect([...asked].filter((label) => !['le', ...OF_TARGET, ...exported].includes(label))).toEqual([])
  })
})

it('needs no token on a loopback port, and refuses to start on another one', async () => {
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
  expect((await fetch(`${shop.url}/metrics`)).status).toBe(404)
  await expect(startShop({ env: { METRICS_PORT: String(port), METRICS_HOST: '0.0.0.0' } })).rejects.toThrow('METRICS_TOKEN is needed')
  await expect(startShop({ env: { METRICS_PORT: 'x' } })).rejects.toThrow('METRICS_PORT must be a whole number')
})
