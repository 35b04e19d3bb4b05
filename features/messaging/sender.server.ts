import { setTimeout as sleep } from 'node:timers/promises'
import { sentForm } from '#features/settings/sms/text-rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { SmsGateway, SmsOutcome } from './gateway.ts'
import {
  claimSms,
  hasSmsProblem,
  recordGatewayState,
  recordUsedUpBudget,
  recordSmsOutcome,
  endOldSms,
  type ClaimedSms,
  type SmsLimits,
} from './outbox.server.ts'

export type SmsSenderOptions = {
  db: Db
  /** Null when no provider is configured: messages wait until they expire. */
  gateway: SmsGateway | null
  log: { warn(detail: object, message: string): void; error(detail: object, message: string): void }
  /** The limits at this moment; default: none for messages, and no campaigns. */
  limits?: () => Promise<SmsLimits>
  /** True in a demo, which shows codes after they were sent. */
  storesCodes?: boolean
}

const NO_LIMIT = 2_147_483_647
/** Messages that one process sends concurrently. */
const CONCURRENCY = 4
/** `notify` calls within this time start one search for messages. */
const DEBOUNCE_MS = 30
const POLL_MS = 10_000
/** Grace period for open calls when the process stops. Aborted calls leave their messages `unknown`. */
const STOP_TIMEOUT_MS = 3_000
const MAX_WRITE_ATTEMPTS = 5

/**
 * Sends the messages of the outbox: after a write of this process (`notify`), and by polling. Several processes share the rows; a row in state
 * `sending` belongs to the process that claimed it.
 */
export class SmsSender {
  readonly gateway: SmsGateway | null
  readonly #options: SmsSenderOptions
  readonly #workers = new Set<Promise<void>>()
  readonly #abort = new AbortController()
  #timer: NodeJS.Timeout | null = null
  #debounce: NodeJS.Timeout | null = null
  #polling: Promise<void> | null = null
  #notified = 0

  constructor(options: SmsSenderOptions) {
    this.#options = options
    this.gateway = options.gateway
  }

  /** Whether this shop sends SMS: the provider sends them, or the demo shows them. Everything that promises one asks here. */
  get canSend(): boolean {
    return this.gateway !== null || this.#options.storesCodes === true
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#poll(), POLL_MS)
    this.#poll()
  }

  /** Tells the sender that the outbox may have new messages. Has no effect before `start`. */
  notify(): void {
    if (this.#timer === null || this.gateway === null) return
    this.#debounce ??= setTimeout(() => {
      this.#debounce = null
      this.#notified += 1
      this.#startWorker()
    }, DEBOUNCE_MS)
  }

  /** Claims no more messages and waits for open calls. Leaves no row in state `sending` while the database responds. */
  async stop(): Promise<void> {
    clearInterval(this.#timer ?? undefined)
    clearTimeout(this.#debounce ?? undefined)
    this.#timer = null
    const ended = Promise.all([...this.#workers, this.#polling])
    await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
    this.#abort.abort()
    await ended
  }

  #poll(): void {
    this.#polling ??= this.#endOld()
      .then(({ interrupted }) => {
        if (interrupted > 0) this.#options.log.warn({ messages: interrupted }, 'SMS of an ended process may or may not have been sent')
      })
      .catch((error) => this.#options.log.warn({ err: error }, 'old SMS of the outbox could not be ended'))
      .finally(() => {
        this.#polling = null
        this.notify()
      })
  }

  async #endOld(): Promise<{ interrupted: number }> {
    const { db, storesCodes = false } = this.#options
    await recordGatewayState(db, this.gateway !== null)
    const { daily: dailyLimit } = await this.#limits()
    if (await recordUsedUpBudget(db, dailyLimit))
      this.#options.log.error({ dailyLimit }, 'the daily SMS budget is used up: SMS about orders wait for tomorrow or a higher budget')
    return endOldSms(db, { storesCodes, canSend: this.canSend })
  }

  #startWorker(): void {
    if (this.#timer === null || this.#workers.size >= CONCURRENCY) return
    const worker = this.#work()
      .catch((error) => this.#options.log.warn({ err: error }, 'sending SMS failed and will be retried'))
      .finally(() => this.#workers.delete(worker))
    this.#workers.add(worker)
  }

  /** Sends one message after another until there is none. A worker that finds a message starts the next worker. */
  async #work(): Promise<void> {
    while (this.#timer !== null) {
      const notified = this.#notified
      const sms = await claimSms(this.#options.db, await this.#limits())
      if (sms === null && notified === this.#notified) return
      if (sms === null || sms.skipped) continue
      if (!(await hasSmsProblem(this.#options.db))) this.#startWorker()
      await this.#send(sms)
    }
  }

  #limits(): Promise<SmsLimits> {
    return this.#options.limits?.() ?? Promise.resolve({ daily: NO_LIMIT, campaign: 0 })
  }

  async #send(sms: ClaimedSms): Promise<void> {
    const outcome = await this.#dispatch(sms)
    const isNew = await this.#write(sms, outcome)
    const { log } = this.#options
    if (outcome.state === 'unknown') log.warn({ sms: sms.id, detail: outcome.detail }, 'SMS may or may not have been sent')
    if (!isNew) return
    if (outcome.state === 'rejected') log.error({ problem: outcome.problem, code: outcome.code }, 'SMS cannot be sent')
    else if (outcome.state === 'unknown') log.error({ problem: 'unreachable', code: outcome.detail }, 'SMS cannot be sent')
  }

  async #dispatch(sms: ClaimedSms): Promise<SmsOutcome> {
    try {
      return await this.gateway!.send({ phone: sms.phone, text: sentForm(sms.body) }, this.#abort.signal)
    } catch (error) {
      this.#options.log.error({ err: error, sms: sms.id }, 'the SMS adapter failed')
      return { state: 'unknown', detail: 'fault' }
    }
  }

  /** Records the outcome of a sent message. Retries while the database is unavailable, so that the outcome is not lost. */
  async #write(sms: ClaimedSms, outcome: SmsOutcome): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await recordSmsOutcome(this.#options.db, sms, outcome, this.#options.storesCodes ?? false)
      } catch (error) {
        if (attempt === MAX_WRITE_ATTEMPTS || this.#abort.signal.aborted) throw error
        await sleep(attempt * 500, undefined, { signal: this.#abort.signal }).catch(() => {})
      }
    }
  }
}
