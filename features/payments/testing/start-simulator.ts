import Fastify from 'fastify'
import type { Gateway, GatewayLog } from '#features/payments/gateway.ts'
import { bkashGateway } from '#features/payments/gateways/bkash.server.ts'
import { sslcommerzGateway } from '#features/payments/gateways/sslcommerz.server.ts'
import type { Faults } from '#dev/payment-simulator/faults.ts'
import type { SimulatorCredentials } from '#features/payments/simulator-options.ts'
import { paymentSimulator } from '#dev/payment-simulator/plugin.server.ts'

export const DEMO_CREDENTIALS: SimulatorCredentials = {
  storeId: 'demostore',
  storePassword: 'demo-pass-1',
  bkash: { username: 'demo-user', password: 'demo-pass-2', appKey: 'demo-key', appSecret: 'demo-secret' },
}

export type LogLine = { level: 'info' | 'warn'; detail: object; message: string }

export type RunningSimulator = {
  sslcommerz: Gateway
  bkash: Gateway
  baseUrl: string
  logged: LogLine[]
  faults(faults: Faults): Promise<void>
  calls(): Promise<Record<string, number>>
  /** Opens the page and presses a button as a browser does, without following the redirect. */
  press(pageUrl: string, label: string): Promise<Pressed>
  close(): Promise<void>
}

export type Pressed = { status: number; location: string; body: Record<string, string>; html: string }

/** Serves both companies on a port, with adapters whose timeouts are short but fit a busy machine. */
export async function startSimulator(options: { timeoutMs?: number } = {}): Promise<RunningSimulator> {
  const app = Fastify({ forceCloseConnections: true })
  // The plugin is registered before the port is known, so it reads the URL through a getter.
  let baseUrl = ''
  const simulatorOptions = {
    credentials: DEMO_CREDENTIALS,
    faultSwitch: true,
    get publicPrefix() {
      return baseUrl
    },
  }
  await app.register(paymentSimulator(simulatorOptions), { prefix: '/sim' })
  baseUrl = `${await app.listen({ port: 0, host: '127.0.0.1' })}/sim`
  const logged: LogLine[] = []
  const log: GatewayLog = {
    info: (detail, message) => logged.push({ level: 'info', detail, message }),
    warn: (detail, message) => logged.push({ level: 'warn', detail, message }),
  }
  const timeoutMs = options.timeoutMs ?? 1_200
  const { storeId, storePassword, bkash } = DEMO_CREDENTIALS
  return {
    baseUrl,
    logged,
    sslcommerz: sslcommerzGateway({ storeId, storePassword, baseUrl, fallbackEmail: 'orders@khamar.example', log, timeoutMs }),
    bkash: bkashGateway({ ...bkash, baseUrl: `${baseUrl}/bkash`, log, timeoutMs }),
    async faults(faults) {
      const answer = await fetch(`${baseUrl}/__sim/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(faults),
      })
      if (answer.status !== 200) throw new Error(await answer.text())
    },
    calls: async () => (await (await fetch(`${baseUrl}/__sim/calls`)).json()) as Record<string, number>,
    press,
    close: () => app.close(),
  }
}

async function press(pageUrl: string, label: string): Promise<Pressed> {
  const page = await (await fetch(pageUrl)).text()
  const form = [...page.matchAll(/<form method="post" action="([^"]+)">(.*?)<\/form>/gs)].find(([, , inner]) =>
    inner!.includes(`>${label} <`),
  )
  if (!form) throw new Error(`No button "${label}" on the page: ${page}`)
  const body = Object.fromEntries(
    [...form[2]!.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [name!, unescape(value!)]),
  )
  const answer = await fetch(unescape(form[1]!), { method: 'POST', body: new URLSearchParams(body), redirect: 'manual' })
  return { status: answer.status, location: answer.headers.get('location') ?? '', body, html: await answer.text() }
}

const unescape = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name]!)
