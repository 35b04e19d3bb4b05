import Fastify from 'fastify'
import { bulkSmsBd } from '#features/messaging/bulksmsbd.server.ts'
import type { SmsGateway } from '#features/messaging/gateway.ts'
import { smsSimulator, type SimulatedSms, type SmsSimulatorOptions } from '#dev/sms-simulator/plugin.server.ts'

export type RunningSmsSimulator = {
  baseUrl: string
  gateway: SmsGateway
  options: SmsSimulatorOptions
  /** The messages that the provider accepted. */
  taken: SimulatedSms[]
  logged: { detail: object; message: string }[]
  close(): Promise<void>
}

export const TEST_API_KEY = 'the-key-that-is-never-logged'

/** Serves the provider on a port, with an adapter whose timeout is short. */
export async function startSmsSimulator({ timeoutMs = 1_000 } = {}): Promise<RunningSmsSimulator> {
  const app = Fastify({ forceCloseConnections: true })
  const taken: SimulatedSms[] = []
  const options: SmsSimulatorOptions = { apiKey: TEST_API_KEY, faults: [], took: (sms) => taken.push(sms) }
  await app.register(smsSimulator(options))
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  const logged: { detail: object; message: string }[] = []
  const note = (detail: object, message: string) => void logged.push({ detail, message })
  const gateway = bulkSmsBd({ apiKey: TEST_API_KEY, senderId: 'Khamar', baseUrl, log: { info: note, warn: note }, timeoutMs })
  return { baseUrl, gateway, options, taken, logged, close: () => app.close() }
}
