import { execFile } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median } from './compare.ts'
import { type Bench, openShop, run } from './database.ts'
import type { Finding } from './report.ts'

const RUNS = 3
/** A KB of scripts is 1,024 bytes, as in server/page/script-size.server.test.ts. */
const GOAL = { score: 100, lcpMs: 1_300, cls: 0, scriptBytes: 95 * 1024, homeBytes: 250_000 }
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const

interface Report {
  /** The speed of the machine by Lighthouse; below about 1,500 the blocking time depends on the machine more than on the page. */
  environment: { benchmarkIndex: number }
  categories: Record<(typeof CATEGORIES)[number], { score: number }>
  audits: Record<string, { numericValue?: number; details?: { items: { url: string; resourceType: string; transferSize: number }[] } }>
}

/** The shop on a mid-range phone with a slow connection, as Lighthouse simulates it; all traffic is local. */
export async function benchPhone(bench: Bench): Promise<Finding[]> {
  const chromium = process.env.CHROME_PATH ?? '/usr/bin/chromium'
  const url = await bench.database(0)
  const { rows } = await run<{ id: string }>(url, `select id from products where visible and status = 'in-stock' order by id limit 1`)
  const shop = await openShop(url)
  try {
    const findings: Finding[] = []
    for (const [name, path] of Object.entries({ home: '/', listing: '/beef', product: `/product/${rows[0]?.id}`, cart: '/cart' })) {
      await fetch(shop.url + path)
      const reports: Report[] = []
      for (let time = 0; time < RUNS; time++) reports.push(await withRetry(() => lighthouse(chromium, shop.url + path)))
      findings.push(...(await pageFindings(name, reports)))
    }
    return findings
  } finally {
    await shop.stop()
  }
}

async function pageFindings(name: string, reports: Report[]): Promise<Finding[]> {
  const middle = (of: (report: Report) => number) => median(reports.map(of))
  const scores = CATEGORIES.map((category) => middle((report) => Math.round(report.categories[category].score * 100)))
  const lcp = middle((report) => report.audits['largest-contentful-paint']?.numericValue ?? Infinity)
  const cls = middle((report) => report.audits['cumulative-layout-shift']?.numericValue ?? Infinity)
  const blocked = middle((report) => report.audits['total-blocking-time']?.numericValue ?? Infinity)
  const machine = middle((report) => report.environment.benchmarkIndex)
  const requests = reports[0]?.audits['network-requests']?.details?.items ?? []
  const findings: Finding[] = [
    {
      what: `phone, ${name}: Lighthouse ${CATEGORIES.join(', ')}`,
      goal: 'all 100',
      measured: `${scores.join(', ')} (blocked ${blocked.toFixed(0)} ms; benchmark index ${machine.toFixed(0)})`,
      reached: scores.every((score) => score >= GOAL.score),
    },
    {
      what: `phone, ${name}: largest paint, layout shift`,
      goal: `≤ ${GOAL.lcpMs} ms, ${GOAL.cls}`,
      measured: `${lcp.toFixed(0)} ms, ${cls.toFixed(3)}`,
      reached: lcp <= GOAL.lcpMs && cls <= 0.0005,
    },
  ]
  if (name === 'listing') {
    const bytes = await gzippedBytes(requests.filter(({ resourceType }) => resourceType === 'Script').map(({ url }) => url))
    findings.push({
      what: 'phone, listing: JavaScript, gzip',
      goal: `≤ ${GOAL.scriptBytes / 1024} KB`,
      measured: `${(bytes / 1024).toFixed(1)} KB`,
      reached: bytes <= GOAL.scriptBytes,
    })
  }
  if (name === 'home') {
    const bytes = requests.reduce((sum, { transferSize }) => sum + transferSize, 0)
    findings.push({
      what: 'phone, home: everything that is fetched',
      goal: `≤ ${GOAL.homeBytes / 1000} KB`,
      measured: `${(bytes / 1000).toFixed(0)} KB in ${requests.length} requests`,
      reached: bytes <= GOAL.homeBytes,
    })
  }
  return findings
}

async function gzippedBytes(urls: string[]): Promise<number> {
  const sizes = await Promise.all(
    [...new Set(urls)].map(async (url) => gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Lighthouse sometimes gets no data of its first page; one retry. */
const withRetry = <T>(work: () => Promise<T>): Promise<T> => work().catch(work)

async function lighthouse(chromium: string, url: string): Promise<Report> {
  const program = join(import.meta.dirname, '../node_modules/.bin/lighthouse')
  const folder = await mkdtemp(join(tmpdir(), 'khamar-phone-'))
  // Written to a file, because output to a pipe is lost when the process ends.
  const file = join(folder, 'report.json')
  const args = [url, '--quiet', '--output=json', `--output-path=${file}`, `--only-categories=${CATEGORIES.join(',')}`]
  const flags = '--chrome-flags=--headless=new --no-sandbox --disable-background-networking'
  try {
    await promisify(execFile)(process.execPath, [program, ...args, flags], { env: { ...process.env, CHROME_PATH: chromium } })
    return JSON.parse(await readFile(file, 'utf8')) as Report
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
