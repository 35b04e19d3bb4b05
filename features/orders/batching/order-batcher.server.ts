import { type Db, isDatabaseAway, isWaitTimeout } from '#lib/db/db.server.ts'
import type { BatchEntryResult, BatchWriter, NewOrderRow, WriteOrderResult } from './types.ts'

interface QueuedOrder {
  order: NewOrderRow
  /** Batches that skipped it, because another transaction had locked a product. */
  skips: number
  resolve(result: WriteOrderResult): void
  reject(error: unknown): void
}

/** Maximum concurrent batch transactions. One measured best: more make batches smaller, and each order more expensive. */
const MAX_CONCURRENT_BATCHES = 1
/** Batches that may skip an order before it waits for the lock. The batches of other processes hold theirs only for a moment. */
const MAX_SKIPS = 3
/** Maximum orders that block on a row lock. The other connections of the pool stay free for batches. */
const MAX_BLOCKING = 6

/** The batch size: half the queue, 8 to 16, so that the application builds the next batch while PostgreSQL writes this one. */
const maxBatchSize = (queued: number): number => Math.min(16, Math.max(8, Math.ceil(queued / 2)))

/** Group commit: collects orders of one kind and writes them in batches. See README.md. */
export class OrderBatcher {
  readonly #db: Db
  readonly #writer: BatchWriter
  #queue: QueuedOrder[] = []
  #runningBatches = 0
  /** Keys and products of the running batches. An order that shares one stays in the queue instead of waiting in the database. */
  readonly #inUse = new Set<string | number>()
  /** Products that another transaction has locked. One order per product waits in the database, the others in the queue. */
  readonly #locked = new Set<number>()
  #blocking = 0
  readonly #blockingQueue: (() => void)[] = []

  constructor(db: Db, writer: BatchWriter) {
    this.#db = db
    this.#writer = writer
  }

  add(order: NewOrderRow): Promise<WriteOrderResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ order, skips: 0, resolve, reject })
      this.#startBatches()
    })
  }

  #resourcesOf({ order }: QueuedOrder): (string | number)[] {
    return [...this.#writer.conflictKeys(order), ...order.lines.map((line) => line.product_id)]
  }

  #startBatches(): void {
    while (this.#runningBatches < MAX_CONCURRENT_BATCHES) {
      const batch = this.#nextBatch()
      if (batch.length === 0) return
      const resources = batch.flatMap((entry) => this.#resourcesOf(entry))
      for (const resource of resources) this.#inUse.add(resource)
      this.#runningBatches += 1
      void this.#write(batch).finally(() => {
        for (const resource of resources) this.#inUse.delete(resource)
        this.#runningBatches -= 1
        this.#startBatches()
      })
    }
  }

  /** Takes the oldest orders whose resources are free. Orders that share a resource keep their order. */
  #nextBatch(): QueuedOrder[] {
    const limit = maxBatchSize(this.#queue.length)
    const batch: QueuedOrder[] = []
    const reserved = new Set<string | number>([...this.#inUse, ...this.#locked])
    this.#queue = this.#queue.filter((entry) => {
      const resources = this.#resourcesOf(entry)
      if (batch.length < limit && !resources.some((resource) => reserved.has(resource))) {
        batch.push(entry)
        for (const key of this.#writer.conflictKeys(entry.order)) reserved.add(key)
        return false
      }
      for (const resource of resources) reserved.add(resource)
      return true
    })
    return batch
  }

  async #write(batch: QueuedOrder[]): Promise<void> {
    try {
      const results = await this.#writer.writeBatch(
        this.#db,
        batch.map(({ order }) => order),
      )
      const replies: (() => void)[] = []
      const skipped: QueuedOrder[] = []
      batch.forEach((entry, index) => {
        const result: BatchEntryResult = results[index] ?? {}
        if (result.reason !== 'busy') replies.push(() => entry.resolve(result))
        else if (++entry.skips <= MAX_SKIPS) skipped.push(entry)
        else void this.#writeBlocking(result.product_id, entry)
      })
      this.#queue.unshift(...skipped)
      // Replies run after the next batch was sent, so that the database does not wait for them.
      setImmediate(() => replies.forEach((reply) => reply()))
    } catch (error) {
      // The batch was rolled back. Each order is tried alone, so that only the one that caused the error fails.
      if (batch.length === 1 || isDatabaseAway(error)) for (const entry of batch) entry.reject(error)
      else for (const entry of batch) await this.#write([entry])
    }
  }

  async #writeBlocking(product: number, entry: QueuedOrder): Promise<void> {
    if (this.#locked.has(product)) {
      this.#queue.unshift(entry)
      return
    }
    this.#locked.add(product)
    if (this.#blocking >= MAX_BLOCKING) await new Promise<void>((next) => this.#blockingQueue.push(next))
    this.#blocking += 1
    await this.#writer.writeBlocking(this.#db, entry.order).then(entry.resolve, (error) => {
      entry.reject(error)
      if (isWaitTimeout(error)) this.#rejectQueued(product, error)
    })
    this.#blocking -= 1
    this.#blockingQueue.shift()?.()
    this.#locked.delete(product)
    this.#startBatches()
  }

  /** Rejects all queued orders of a product whose lock timed out, instead of letting each time out in turn. */
  #rejectQueued(product: number, error: unknown): void {
    const isOfProduct = (entry: QueuedOrder) => this.#resourcesOf(entry).includes(product)
    const rejected = this.#queue.filter(isOfProduct)
    this.#queue = this.#queue.filter((entry) => !isOfProduct(entry))
    for (const entry of rejected) entry.reject(error)
  }
}
