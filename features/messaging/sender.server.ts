import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#lib/db/db.server.ts'
import type { SmsGateway, SmsOutcome } from './gateway.ts'
import { claimSms, recordGatewayState, noteUsedUpBudget, recordSmsOutcome, deleteOldSales, type ClaimedSms } from './outbox.server.ts'

export type SmsSenderOptions = {
  db: Db
  /** Null when nobody is configured: messages wait, and end when they are too old. */
  gateway: SmsGateway | null
  log: { warn(detail: object, message: string): void; error(detail: object, message: string): void }
  /** How many messages may go out in a day, codes apart; without it as many as there are. */
  dailyLimit?: () => Promise<number>
  /** A demo shows codes after they were sent. */
  keepsCodes?: boolean
}

const NO_LIMIT = 2_147_483_647
/** Messages under way at once in one process. */
const LANES = 4
/** Writes that come together are looked after together. */
const GATHER_MS = 30
const SWEEP_MS = 10_000
/** When the process ends, calls may take so long; then they are given up and what may have gone out is marked. */
const TIMEOUT_MS = 3_000
const WRITE_TRIES = 5

/**
 * Sends what waits in the outbox: at once after a write of this process (`wake`), and by a sweep for all else. Several processes
 * share the rows; each row is one process's from the moment it says `sending`.
 */
export class SmsSender {
  readonly gateway: SmsGateway | null
  readonly #options: SmsSenderOptions
  readonly #lanes = new Set<Promise<void>>()
  readonly #giveUp = new AbortController()
  #sweep: NodeJS.Timeout | null = null
  #soon: NodeJS.Timeout | null = null
  #sweeping: Promise<void> | null = null
  #wakes = 0

  constructor(options: SmsSenderOptions) {
    this.#options = options
    this.gateway = options.gateway
  }

  start(): void {
    this.#sweep ??= setInterval(() => this.#lookAround(), SWEEP_MS)
    this.#lookAround()
  }

  /** There may be something to send. Costs nothing before `start`. */
  wake(): void {
    if (this.#sweep === null || this.gateway === null) return
    this.#soon ??= setTimeout(() => {
      this.#soon = null
      this.#wakes += 1
      this.#openLane()
    }, GATHER_MS)
  }

  /** Takes no more, lets what is under way end; never leaves a row that says `sending` while the database answers. */
  async stop(): Promise<void> {
    clearInterval(this.#sweep ?? undefined)
    clearTimeout(this.#soon ?? undefined)
    this.#sweep = null
    const ended = Promise.all([...this.#lanes, this.#sweeping])
    await Promise.race([ended, sleep(TIMEOUT_MS, undefined, { ref: false })])
    this.#giveUp.abort()
    await ended
  }

  #lookAround(): void {
    this.#sweeping ??= this.#tidy()
      .then(({ interrupted }) => {
        if (interrupted > 0) this.#options.log.warn({ messages: interrupted }, 'SMS of an ended process may or may not have gone out')
      })
      .catch((error) => this.#options.log.warn({ err: error }, 'the SMS outbox could not be tidied'))
      .finally(() => {
        this.#sweeping = null
        this.wake()
      })
  }

  async #tidy(): Promise<{ interrupted: number }> {
    const { db, keepsCodes = false } = this.#options
    await recordGatewayState(db, this.gateway !== null)
    const dailyLimit = await this.#dailyLimit()
    if (await noteUsedUpBudget(db, dailyLimit))
      this.#options.log.error({ dailyLimit }, 'the daily SMS budget is used up: SMS about orders wait for tomorrow or a higher budget')
    return deleteOldSales(db, keepsCodes)
  }

  #openLane(): void {
    if (this.#sweep === null || this.#lanes.size >= LANES) return
    const lane = this.#work()
      .catch((error) => this.#options.log.warn({ err: error }, 'sending SMS stopped, will go on'))
      .finally(() => this.#lanes.delete(lane))
    this.#lanes.add(lane)
  }

  /** One message after the other until there is none. Whoever finds one opens the next lane. */
  async #work(): Promise<void> {
    while (this.#sweep !== null) {
      const wakes = this.#wakes
      const sms = await claimSms(this.#options.db, await this.#dailyLimit())
      if (sms === null && wakes === this.#wakes) return
      if (sms === null || sms.skipped) continue
      this.#openLane()
      await this.#send(sms)
    }
  }

  #dailyLimit(): Promise<number> {
    return this.#options.dailyLimit?.() ?? Promise.resolve(NO_LIMIT)
  }

  async #send(sms: ClaimedSms): Promise<void> {
    const outcome = await this.#dispatch(sms)
    const isNew = await this.#write(sms, outcome)
    const { log } = this.#options
    if (outcome.state === 'unknown') log.warn({ sms: sms.id, detail: outcome.detail }, 'SMS may or may not have gone out')
    if (outcome.state === 'rejected' && isNew) log.error({ problem: outcome.problem, code: outcome.code }, 'SMS cannot be sent')
  }

  async #dispatch(sms: ClaimedSms): Promise<SmsOutcome> {
    try {
      return await this.gateway!.send({ phone: sms.phone, text: sms.body }, this.#giveUp.signal)
    } catch (error) {
      this.#options.log.error({ err: error, sms: sms.id }, 'the SMS adapter failed')
      return { state: 'unknown', detail: 'fault' }
    }
  }

  /** The message is out; a database that is away for a moment must not make it look as if nobody knew. */
  async #write(sms: ClaimedSms, outcome: SmsOutcome): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await recordSmsOutcome(this.#options.db, sms, outcome, this.#options.keepsCodes ?? false)
      } catch (error) {
        if (tries === WRITE_TRIES || this.#giveUp.signal.aborted) throw error
        await sleep(tries * 500, undefined, { signal: this.#giveUp.signal }).catch(() => {})
      }
    }
  }
}
