import { sql } from 'kysely'
import type { CouponRefusal } from '#features/pricing/coupons/rules.ts'
import { constraintOf, type Db, inTransaction, isDatabaseAway, isWaitTimeout } from '#lib/db/db.server.ts'
import { LockLimiter } from './lock-limiter.server.ts'
import type { MissingProduct } from '../order-locks.server.ts'

/** What the database says of an order it was to write. */
export type WriteOrderResult = {
  order_id?: number
  replayed?: boolean
  /** Something that shoppers see has changed. */
  shown?: boolean
  coupon?: CouponRefusal
  lines?: MissingProduct[]
} & ({ reason?: 'stale' | 'not-available' | 'key-reused' | 'coupon' } | ({ reason: 'too-many-held' } & TooManyHeld))

/** Animals are held unpaid under the same phone, browser or network already; with those of the order they would exceed the limit. */
export interface TooManyHeld {
  by: 'phone' | 'browser' | 'network'
  held: number
  limit: number
}

/** An order as `place_orders` takes it; what else it has are the columns of the order and its lines. */
export interface NewOrderRow extends Record<string, unknown> {
  idempotency_key: string
  lines: { product_id: number }[]
  coupon: { id: number } | null
}

/** What becomes of a list of orders that need not wait, and of one that may. */
export interface BatchWriter {
  atOnce(db: Db, wanted: readonly NewOrderRow[]): Promise<BatchEntryResult[]>
  patiently(db: Db, wanted: NewOrderRow): Promise<WriteOrderResult>
  /** What two orders of one list must not share. */
  ofOne(wanted: NewOrderRow): string[]
}

interface Waiting {
  wanted: NewOrderRow
  resolve(answer: WriteOrderResult): void
  reject(error: unknown): void
}

export type BatchEntryResult = WriteOrderResult | { reason: 'busy'; product_id: number }

/** Transactions that are under way at once (more make lists shorter, and orders dearer); and orders that wait, each for goods that somebody has locked. */
const AT_ONCE = 1
const MAX_PATIENT = 6

/**
 * How many of those who wait share a list. Half of them, where that is a list worth its transaction: all together would be answered, and ask
 * again, all together, and shop and database would work in turns instead of at the same time.
 */
const mostTogether = (waiting: number): number => Math.min(16, Math.max(8, Math.ceil(waiting / 2)))

/** The orders that one pool is to write in one way. */
export class OrderBatcher {
  readonly #db: Db
  readonly #way: BatchWriter
  #waiting: Waiting[] = []
  #underWay = 0
  /** Keys and products of orders that are being written: whoever needs one of them waits here, and not in the database. */
  readonly #inUse = new Set<string | number>()
  /** Products that somebody else has locked: for each one order waits in the database, and all others here. */
  readonly #locked = new Set<number>()
  #patient = 0
  readonly #wouldBePatient: (() => void)[] = []

  constructor(db: Db, way: BatchWriter) {
    this.#db = db
    this.#way = way
  }

  add(wanted: NewOrderRow): Promise<WriteOrderResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ wanted, resolve, reject })
      this.#serve()
    })
  }

  #needsOf({ wanted }: Waiting): (string | number)[] {
    return [...this.#way.ofOne(wanted), ...wanted.lines.map((line) => line.product_id)]
  }

  #serve(): void {
    while (this.#underWay < AT_ONCE) {
      const together = this.#together()
      if (together.length === 0) return
      const needs = together.flatMap((one) => this.#needsOf(one))
      for (const need of needs) this.#inUse.add(need)
      this.#underWay += 1
      void this.#write(together).finally(() => {
        for (const need of needs) this.#inUse.delete(need)
        this.#underWay -= 1
        this.#serve()
      })
    }
  }

  /** Those who have waited longest and need nothing that is in use; where two need the same, nobody overtakes. */
  #together(): Waiting[] {
    const most = mostTogether(this.#waiting.length)
    const together: Waiting[] = []
    const reserved = new Set<string | number>([...this.#inUse, ...this.#locked])
    this.#waiting = this.#waiting.filter((one) => {
      const needs = this.#needsOf(one)
      if (together.length < most && !needs.some((need) => reserved.has(need))) {
        together.push(one)
        for (const own of this.#way.ofOne(one.wanted)) reserved.add(own)
        return false
      }
      for (const need of needs) reserved.add(need)
      return true
    })
    return together
  }

  async #write(together: Waiting[]): Promise<void> {
    try {
      const answers = await this.#way.atOnce(
        this.#db,
        together.map(({ wanted }) => wanted),
      )
      const answered: (() => void)[] = []
      together.forEach((one, index) => {
        const answer = answers[index] ?? {}
        if (answer.reason === 'busy') void this.#waitFor(answer.product_id, one)
        else answered.push(() => one.resolve(answer))
      })
      // Only once the next list is on its way: the database need not wait until all these answers are written and sent.
      setImmediate(() => answered.forEach((tell) => tell()))
    } catch (error) {
      // Undone as a whole; whose fault it was shows when each is alone. A database that is away is everybody's.
      if (together.length === 1 || isDatabaseAway(error)) for (const one of together) one.reject(error)
      else for (const one of together) await this.#write([one])
    }
  }

  async #waitFor(product: number, one: Waiting): Promise<void> {
    if (this.#locked.has(product)) {
      this.#waiting.unshift(one)
      return
    }
    this.#locked.add(product)
    // Some connections always stay free for those who need not wait.
    if (this.#patient >= MAX_PATIENT) await new Promise<void>((next) => this.#wouldBePatient.push(next))
    this.#patient += 1
    await this.#way.patiently(this.#db, one.wanted).then(one.resolve, (error) => {
      one.reject(error)
      if (isWaitTimeout(error)) this.#turnAway(product, error)
    })
    this.#patient -= 1
    this.#wouldBePatient.shift()?.()
    this.#locked.delete(product)
    this.#serve()
  }

  /** Whoever waits for a product that did not get free in all this time hears so, and may ask again. */
  #turnAway(product: number, error: unknown): void {
    const [turnedAway, left] = [
      this.#waiting.filter((one) => this.#needsOf(one).includes(product)),
      this.#waiting.filter((one) => !this.#needsOf(one).includes(product)),
    ]
    this.#waiting = left
    for (const one of turnedAway) one.reject(error)
  }
}

const rushes = new WeakMap<Db, OrderBatcher>()

/**
 * Writes the order, or nothing. Orders that arrive while others are being written wait together and share the next
 * transaction: in a rush the database is asked, and the disk waited for, once for many. They share no trouble: an order whose
 * goods somebody has locked waits for them by itself, and orders that fail together are tried one by one.
 */
export async function writeOrder(db: Db, wanted: NewOrderRow): Promise<WriteOrderResult> {
  try {
    if (db.isTransaction) return await writePatiently(db, wanted)
    if (wanted.coupon !== null) return await withCoupon(db, wanted, wanted.coupon)
    const rush = rushes.get(db) ?? new OrderBatcher(db, guestOrders)
    rushes.set(db, rush)
    return await rush.add(wanted)
  } catch (error) {
    // The same request at the same moment was quicker: asked again, it is found.
    if (constraintOf(error) === 'orders_idempotency_key') return { reason: 'stale' }
    throw error
  }
}

/** Orders with a coupon share no transaction, and may wait for goods and for the coupon: so many at once, that connections stay free. */
const MAX_WITH_COUPON = 4
const couponTurns = new WeakMap<Db, LockLimiter>()

function withCoupon(db: Db, wanted: NewOrderRow, coupon: { id: number }): Promise<WriteOrderResult> {
  const turns = couponTurns.get(db) ?? new LockLimiter(MAX_WITH_COUPON)
  couponTurns.set(db, turns)
  return turns.run([`coupon ${coupon.id}`, ...wanted.lines.map((line) => line.product_id)], () => writePatiently(db, wanted))
}

const guestOrders: BatchWriter = {
  async atOnce(db, wanted) {
    const write = sql<{
      answers: BatchEntryResult[]
    }>`/*prepared place_orders*/ select place_orders(${listOf(wanted)}::jsonb, false) as answers`
    const { rows } = await withGuests(db, () => write.execute(db))
    return rows[0]?.answers ?? []
  },
  patiently: writePatiently,
  ofOne: (wanted) => [wanted.idempotency_key],
}

/** A list as the database takes it, each with its place. */
export function listOf(wanted: readonly NewOrderRow[]): string {
  return JSON.stringify(wanted.map((one, index) => ({ place: index + 1, ...one })))
}

async function writePatiently(db: Db, wanted: NewOrderRow): Promise<WriteOrderResult> {
  const place = sql.raw(wanted.coupon === null ? 'place_order' : 'place_order_with_coupon')
  const write = sql<{ answer: WriteOrderResult }>`select ${place}(${JSON.stringify({ place: 1, ...wanted })}::jsonb) as answer`
  const { rows } = await withGuests(db, () => write.execute(db))
  return rows[0]?.answer ?? {}
}

/** A guest who became part of an account after he was looked up, and before he was written, is looked up once more. */
export async function withGuests<T>(db: Db, write: () => Promise<T>): Promise<T> {
  try {
    // Inside a transaction the first try must not be the end of it.
    return await (db.isTransaction ? inTransaction(db, write) : write())
  } catch (error) {
    if (constraintOf(error) !== 'orders_customer_id_fkey') throw error
    return write()
  }
}
