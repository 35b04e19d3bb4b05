import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'

/** What the database says of an order it was to write. */
export interface WriteAnswer {
  order_id?: number
  replayed?: boolean
  /** Something that shoppers see has changed. */
  shown?: boolean
  reason?: 'stale' | 'not-available' | 'key-reused'
  lines?: { product_id: number }[]
}

export interface WantedOrder {
  idempotency_key: string
  order: { phone: string }
  lines: { product_id: number }[]
}

interface Waiting {
  wanted: WantedOrder
  resolve(answer: WriteAnswer): void
  reject(error: unknown): void
}

/** Transactions that are under way at once, and orders that share one. */
const AT_ONCE = 2
const MOST_TOGETHER = 16

const desks = new WeakMap<Db, { waiting: Waiting[]; busy: number }>()

/**
 * Writes the order, or nothing. Orders that arrive while others are being written wait together and share the next
 * transaction: in a rush the database is asked, and the disk waited for, once for many. What fails together is tried again
 * each by itself, so that nobody suffers for another's order.
 */
export function writeOrder(db: Db, wanted: WantedOrder): Promise<WriteAnswer> {
  if (db.isTransaction) return writeOne(db, wanted)
  const desk = desks.get(db) ?? { waiting: [], busy: 0 }
  desks.set(db, desk)
  return new Promise((resolve, reject) => {
    desk.waiting.push({ wanted, resolve, reject })
    serve()
  })

  function serve(): void {
    if (desk.busy >= AT_ONCE || desk.waiting.length === 0) return
    const together = desk.waiting.splice(0, MOST_TOGETHER)
    desk.busy += 1
    void writeTogether(db, together).finally(() => {
      desk.busy -= 1
      serve()
    })
  }
}

async function writeTogether(db: Db, together: Waiting[]): Promise<void> {
  if (together.length > 1) {
    try {
      const { rows } = await sql<{ answers: WriteAnswer[] }>`/*kept place_orders*/ select place_orders(${JSON.stringify(together.map((one) => one.wanted))}::jsonb) as answers`.execute(db)
      together.forEach(({ resolve }, index) => resolve(rows[0]?.answers[index] ?? {}))
      return
    } catch {
      // Undone as a whole; whose fault it was shows when each is alone.
    }
  }
  await Promise.all(together.map(({ wanted, resolve, reject }) => writeOne(db, wanted).then(resolve, reject)))
}

async function writeOne(db: Db, wanted: WantedOrder): Promise<WriteAnswer> {
  const { rows } = await sql<{ answer: WriteAnswer }>`/*kept place_order*/ select place_order(${JSON.stringify(wanted)}::jsonb) as answer`.execute(db)
  return rows[0]?.answer ?? {}
}
