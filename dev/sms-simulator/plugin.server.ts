import { setTimeout as sleep } from 'node:timers/promises'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** What can be made to go wrong; left out, all is well. `hang` and `late-500` have taken the message when they fail. */
export type SmsFault = 'error' | 'late-500' | 'html' | 'hang' | 'slow' | 'cut' | 'bad-gateway' | 'forbidden' | number

export type SimulatedSms = { phone: string; text: string; senderId: string }

export type SmsSimulatorOptions = {
  apiKey: string
  /** The faults of the next messages, one each; after them `always` applies, or none. */
  faults?: SmsFault[]
  always?: SmsFault | null
  /** Taka; each part costs what it costs, and at zero the answer is 1007. */
  balance?: number
  /** How long each call takes; as the company does, and a demo does not spend itself on sending. */
  takesMs?: number
  slowMs?: number
  /** Called for each accepted message, whatever the reply. */
  took?: (message: SimulatedSms) => void
}

const PRICE = 0.35
const TEXTS: Record<number, string> = { 202: 'SMS Submitted Successfully', 1007: 'Balance Insufficient', 1005: 'Internal Error' }

/** A Fastify plugin that simulates BulkSMSBD in memory: register it under a prefix and point the adapter there. */
export function smsSimulator(options: SmsSimulatorOptions): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    const closing = new AbortController()
    let serial = 100_000
    app.addHook('onClose', async () => closing.abort())
    // Stands for a foreign server: the shop's token and sessions do not apply.
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, antiForgery: false, static: true }
    })
    if (!app.hasContentTypeParser('application/x-www-form-urlencoded')) await app.register(formbody)
    const pause = (ms: number) => sleep(ms, undefined, { signal: closing.signal }).catch(() => {})

    app.post('/api/smsapi', async (request, reply) => {
      const form = (request.body ?? {}) as Record<string, string | undefined>
      const rejection = findRejection(form, options)
      if (rejection !== null) return answer(reply, rejection)
      if (options.takesMs) await pause(options.takesMs)
      const fault = options.faults?.shift() ?? options.always ?? null
      if (fault === 'slow') await pause(options.slowMs ?? 400)
      else if (fault !== null && fault !== 'hang' && fault !== 'late-500') return goWrong(reply, fault)
      if (options.balance !== undefined) options.balance = Math.max(0, options.balance - PRICE)
      options.took?.({ phone: form.number ?? '', text: form.message ?? '', senderId: form.senderid ?? '' })
      if (fault === 'late-500') return reply.code(504).type('text/html').send('<h1>504 Gateway Time-out</h1>')
      if (fault === 'hang') {
        await pause(60_000)
        return goWrong(reply, 'cut')
      }
      return answer(reply, 202, (serial += 1))
    })

    app.post('/api/getBalanceApi', async (request, reply) => {
      const { api_key } = (request.body ?? {}) as Record<string, string | undefined>
      if (api_key !== options.apiKey) return answer(reply, 1011)
      return reply.send({ response_code: 202, balance: (options.balance ?? 500).toFixed(2) })
    })
  }
}

function findRejection(form: Record<string, string | undefined>, options: SmsSimulatorOptions): number | null {
  if (form.api_key !== options.apiKey) return 1011
  if (!form.senderid || !form.message || form.type !== 'text') return 1003
  if (!/^8801[3-9]\d{8}$/.test(form.number ?? '')) return 1001
  return options.balance !== undefined && options.balance < PRICE ? 1007 : null
}

function goWrong(reply: FastifyReply, fault: SmsFault): FastifyReply {
  switch (fault) {
    case 'error':
      return reply.code(500).type('text/plain').send('Internal Server Error')
    case 'bad-gateway':
      return reply.code(502).type('text/html').send('<h1>502 Bad Gateway</h1>')
    case 'forbidden':
      return reply.code(403).type('text/html').send('<title>Access denied</title>')
    case 'html':
      return reply.code(200).type('text/html').send('<!doctype html><title>Maintenance</title><p>Back soon.</p>')
    case 'cut':
      reply.hijack()
      reply.raw.socket?.destroy()
      return reply
    default:
      return answer(reply, Number(fault))
  }
}

/** The provider responds with status 200 to every request. */
function answer(reply: FastifyReply, code: number, messageId?: number): FastifyReply {
  const text = TEXTS[code] ?? `Error ${code}`
  return reply.send({
    response_code: code,
    message_id: messageId ?? null,
    success_message: code === 202 ? text : '',
    error_message: code === 202 ? '' : text,
  })
}
