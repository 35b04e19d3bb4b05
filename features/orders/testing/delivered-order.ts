import type { Answer, Visitor } from '#test/visitor.ts'
import { adminOrder } from './online-payments.ts'
import { orderOf, storeBody } from './admin-shop.ts'

// Orders of the admin that were delivered and paid, and what staff do with them afterwards.

/** An order of these lines, paid in cash, and taken to a status. */
export async function orderAt(
  who: Visitor,
  {
    areaId,
    lines,
    paid,
    status = 'delivered',
    more = {},
  }: { areaId: number; lines: [number, number, number?][]; paid: number; status?: string; more?: Record<string, unknown> },
): Promise<number> {
  const answer = await who.post('/admin/orders/store', storeBody(areaId, lines, more))
  if (!answer.body.order_id) throw new Error(answer.text)
  const id = answer.body.order_id
  if (paid > 0) await pay(who, id, paid)
  const steps = ['processing', 'on_delivery', 'delivered', 'completed']
  for (const step of status === 'placed' ? [] : steps.slice(0, steps.indexOf(status) + 1)) await move(who, id, step)
  return id
}

export async function move(who: Visitor, id: number, status: string): Promise<void> {
  const orders = [{ id, version: (await adminOrder(who, id)).version }]
  const answer = await who.post('/admin/orders/status', { orders, status, reason: 'As agreed' })
  const [result] = (answer.body as unknown as { results: { ok: boolean }[] }).results
  if (!result?.ok) throw new Error(answer.text)
}

/** A write about an order under its current version. */
export async function write(who: Visitor, path: string, id: number, body: object, options?: { key?: string }): Promise<Answer> {
  const version = 'version' in body ? body.version : (await adminOrder(who, id)).version
  const headers = options?.key ? { 'idempotency-key': options.key } : undefined
  return who.post(`/admin/orders/${path}/${id}`, { ...body, version }, headers ? { headers } : {})
}

export const pay = (who: Visitor, id: number, amount: number) => write(who, 'payments', id, { method: 'cash', amount, confirmed: true })
export const refund = (who: Visitor, id: number, amount: number, more = {}) =>
  write(who, 'refunds', id, { method: 'cash', amount, ...more })
export const takeBack = (who: Visitor, id: number, lines: object[], more: object = {}, options?: { key?: string }) =>
  write(who, 'returns', id, { lines, reason: 'Not ripe', ...more }, options)
export const keepFee = (who: Visitor, id: number, amount: unknown, more: object = {}) =>
  write(who, 'adjustments', id, { kind: 'fee', amount, reason: 'Transport', ...more })
export const writeOff = (who: Visitor, id: number, amount: unknown, more: object = {}) =>
  write(who, 'adjustments', id, { kind: 'write_off', amount, reason: 'Small rest', ...more })
export const reverse = (who: Visitor, id: number, kind: string, more: object = {}) =>
  write(who, 'adjustments/reverse', id, { kind, reason: 'By mistake', ...more })

/** Status and money of the order in an answer, in taka. */
export function sumsOf(answer: Answer) {
  if (answer.status !== 200) throw new Error(answer.text)
  const { status, due, paid, fee, written_off, settlement } = orderOf(answer)
  return { status, due, paid, fee, written_off, settlement }
}
