import { audit } from '#features/audit/audit.server.ts'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import type { StaffActor } from '#features/auth/permissions.ts'
import { lockProducts } from '#features/stock/stock.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { poishaToTaka, ZERO } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { requestHash } from '#lib/http/idempotency-key.server.ts'
import type { FieldErrors } from '../editing/order-line-pricing.server.ts'
import type { AdminDeps } from '../order-deps.ts'
import { lockOrder, type LockedOrder, raiseOrderVersion } from '../order-locks.server.ts'
import { writeStatus } from '../status/change-status.server.ts'
import type { ReturnProductsForm } from './forms.ts'
import { returnLineErrors } from './return-line-errors.server.ts'
import { isReturnable, type ReturnSums, returnSums } from './return-rules.ts'
import { findSoldOrder, type NamedSoldOrder } from './sold-order.server.ts'
import { findEarlierReturn, type ReturnKey, writeReturn, writeReturnEntry } from './write-return.server.ts'

export type ReturnProductsResult =
  | { ok: true; returnId: number }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  /** `not-out`: the products have not left the farm; the order is cancelled or edited. */
  | { ok: false; reason: 'not-found' | 'key-reused' | 'changed' | 'not-out' }

/**
 * Records that products of an order came back: stock or write-off, ledger entry, timeline and audit log in one transaction. The refund due
 * follows from the ledger and is paid afterwards. When everything is back the order is `returned`. Animals go on hold until staff decide
 * about them. The same key returns the first result; of two concurrent returns the second is rejected by the version of the order.
 */
export async function returnOrderProducts(
  deps: AdminDeps,
  orderId: number,
  form: ReturnProductsForm,
  clerk: StaffActor,
  { lang, idempotencyKey }: { lang: Lang; idempotencyKey: string },
): Promise<ReturnProductsResult> {
  const settings = await deps.shopCache.settings()
  const { version, ...content } = form
  const key = { key: `return-${clerk.id}:${idempotencyKey}`, hash: requestHash({ orderId, form: content }) }
  const result = await inTransaction(deps.db, async (tx): Promise<ReturnProductsResult> => {
    const earlier = await findEarlierReturn(tx, key)
    if (earlier) return earlier.isSame ? { ok: true, returnId: earlier.id } : { ok: false, reason: 'key-reused' }
    const order = await lockOrder(tx, orderId)
    const sold = order && (await findSoldOrder(tx, orderId, lang))
    if (!order || !sold) return { ok: false, reason: 'not-found' }
    if (order.version !== version) return { ok: false, reason: 'changed' }
    if (!isReturnable(order.status)) return { ok: false, reason: 'not-out' }
    const errors = lineErrors(sold, form, lang)
    if (Object.keys(errors).length > 0) return { ok: false, reason: 'invalid', errors }
    const work = { order, sold, sums: returnSums(sold, form.lines), form, key, clerk, now: deps.now() }
    const returnId = await write(tx, work)
    if (work.sums.isAll) {
      const context = { now: work.now, settings, publicUrl: deps.env.publicUrl }
      await writeStatus(tx, order, { to: 'returned', reason: form.reason }, clerk, context)
    } else await raiseOrderVersion(tx, orderId, work.now)
    return { ok: true, returnId }
  })
  if (result.ok) deps.catalogChanged()
  return result
}

/** The errors of the lines, animals that are marked as damaged included. */
function lineErrors(sold: NamedSoldOrder, { lines }: ReturnProductsForm, lang: Lang): FieldErrors {
  const isAnimal = new Map(sold.lines.map((line) => [line.productId, line.isAnimal]))
  const damaged = lines.flatMap(({ productId, isSpoiled }, index): [string, string[]][] =>
    isSpoiled && isAnimal.get(productId) ? [[`lines.${index}.damaged`, [translate(lang)('returns.animal')]]] : [],
  )
  return { ...returnLineErrors(sold, lines, { notSold: 'returns.not-ordered', lang }), ...Object.fromEntries(damaged) }
}

interface Work {
  order: LockedOrder
  sold: NamedSoldOrder
  sums: ReturnSums
  form: ReturnProductsForm
  key: ReturnKey
  clerk: StaffActor
  now: Date
}

async function write(tx: Db, { order, sold, sums, form, key, clerk, now }: Work): Promise<number> {
  const { lines, reason } = form
  await lockProducts(
    tx,
    lines.map((line) => line.productId),
  )
  const written = { orderId: order.id, sold, lines, sums, refund: ZERO, reason, key, at: now, by: { staffId: clerk.id } }
  const returnId = await writeReturn(tx, written)
  await writeReturnEntry(tx, { orderId: order.id, returnId, sold, sums }, clerk, now)
  const returned = lines.map(({ productId, quantityMilli, isSpoiled }) => {
    const { name, unit } = sold.lines.find((line) => line.productId === productId)!
    return { product: name, unit, quantity: quantityMilli / 1000, ...(isSpoiled ? { damaged: true } : {}) }
  })
  const detail = { return_id: returnId, amount: poishaToTaka(sums.worth), reason }
  await addOrderEvent(tx, order.id, clerk, now, { kind: 'items-returned', detail: { ...detail, lines: returned } })
  const audited = lines.map(({ productId, quantityMilli, isSpoiled }) => ({
    product_id: productId,
    quantity: quantityMilli / 1000,
    ...(isSpoiled ? { spoiled: true } : {}),
  }))
  await audit(tx, clerk, { action: 'changed', subject: 'order', id: order.id, after: { ...detail, lines: audited } })
  return returnId
}
