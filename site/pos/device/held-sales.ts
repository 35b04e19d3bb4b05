import type { HeldSale } from '#features/pos/held-rules.ts'
import { backgroundHeaders } from '#site/admin/lock/device-use.ts'
import { listHeldOnDevice, markSent, holdOnDevice, takeHeldOnDevice } from '../held-on-device.ts'
import { deviceRegister } from '../register.ts'
import { newSale, type Sale } from '../sale.ts'
import { posCall } from './network.ts'

// Held sales of this device on their way to the shop and back. A sale is stored on the device first; the shop has it once it says so.

const TIMEOUT_MS = 10_000
/** After this time a resume without an answer is over. The clock of the device may have been set back since. */
const UNANSWERED_MS = 2 * TIMEOUT_MS
const HELD = '/admin/quick-orders/held'

/** The held sales of the shop; null without an answer. */
async function listHeld(): Promise<HeldSale[] | null> {
  const options = { timeoutMs: TIMEOUT_MS, cache: 'no-store', headers: backgroundHeaders() } as const
  const answer = await posCall<{ held: HeldSale[] }>(`/api${HELD}`, options)
  return answer.ok ? answer.body.held : null
}

/** Sales that the shop has rejected; they stay on the device. */
const rejected = new Set<string>()

/** Sends the held sales of this device, oldest first. Returns those that the shop has now, and the reason of the first rejection. */
async function sendHeld(cashierId: number): Promise<{ sent: string[]; reason: string | null }> {
  const sent: string[] = []
  let reason: string | null = null
  for (const { id, name, at, sale } of listHeldOnDevice(cashierId)) {
    // Marked before it is sent: without an answer nobody knows whether the shop has it.
    if (rejected.has(id) || !markSent(cashierId, id, true)) continue
    const body = { id, name, held_at: new Date(at).toISOString(), register: deviceRegister(), sale: { ...sale, approval: null } }
    const answer = await posCall<{ error?: string; message?: string; reason?: string }>(HELD, {
      method: 'POST',
      body,
      timeoutMs: TIMEOUT_MS,
    })
    // The shop has it already, as it was sent from another register or by another build.
    if (answer.ok || answer.body?.reason === 'key-reused') sent.push(id)
    else if (answer.status !== 409 && answer.status !== 413 && answer.status !== 422) break
    else {
      rejected.add(id)
      markSent(cashierId, id, false)
      reason ??= answer.body?.error ?? answer.body?.message ?? null
    }
  }
  return { sent, reason }
}

/** Sends the held sales of this device and reads the list of the shop, null without an answer. The device keeps a sale until it is listed. */
export async function exchangeHeld(cashierId: number): Promise<{ held: HeldSale[] | null; problems: string[] }> {
  const resumed = await repeatResumes(cashierId)
  const { sent, reason } = await sendHeld(cashierId)
  const held = await listHeld()
  if (held) for (const id of sent) takeHeldOnDevice(cashierId, id)
  return { held, problems: reason === null ? resumed : [...resumed, reason] }
}

/** The request to resume a sale, stored until the shop has answered. */
interface Resume {
  id: string
  key: string
  /** The device has the sale itself. */
  own: boolean
  at: number
}

const prefix = (cashierId: number) => `khamar.resume.${cashierId}.`

function startResume(cashierId: number, id: string, own: boolean): Resume {
  const stored = readResume(prefix(cashierId) + id)
  const resume = { id, key: stored?.key ?? crypto.randomUUID(), own, at: Date.now() }
  try {
    localStorage.setItem(prefix(cashierId) + id, JSON.stringify(resume))
  } catch {
    // Full storage: without an answer the sale is not fetched again by itself.
  }
  return resume
}

function readResume(key: string): Resume | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as Resume | null
  } catch {
    return null
  }
}

const endResume = (cashierId: number, id: string) => localStorage.removeItem(prefix(cashierId) + id)

export type ResumeOutcome =
  | { kind: 'taken'; name: string; sale: Sale | null }
  | { kind: 'elsewhere'; text: string | null }
  | { kind: 'gone' }
  | { kind: 'no-answer' }

async function sendResume(cashierId: number, { id, key, own }: Resume): Promise<ResumeOutcome> {
  const answer = await posCall<{ name: string; sale: Partial<Sale> | null; error?: string; message?: string }>(`${HELD}/${id}/resume`, {
    method: 'POST',
    body: { key, own },
    timeoutMs: TIMEOUT_MS,
  })
  if (answer.ok) return { kind: 'taken', name: answer.body.name, sale: answer.body.sale && { ...newSale(), ...answer.body.sale } }
  if (answer.status !== 404 && answer.status !== 409) return { kind: 'no-answer' }
  endResume(cashierId, id)
  if (answer.status === 404) return { kind: 'gone' }
  return { kind: 'elsewhere', text: answer.body?.error ?? answer.body?.message ?? null }
}

/** Resumes a sale of the shop. The caller stores a taken sale and then calls `finish`; until then the request is repeated by itself. */
export async function resumeHeld(cashierId: number, id: string, own: boolean): Promise<ResumeOutcome & { finish: () => void }> {
  const outcome = await sendResume(cashierId, startResume(cashierId, id, own))
  return { ...outcome, finish: () => outcome.kind === 'taken' && endResume(cashierId, id) }
}

/** Repeats requests to resume that got no answer. A sale that came is held on this device again. Returns texts about sales resumed elsewhere. */
async function repeatResumes(cashierId: number): Promise<string[]> {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix(cashierId)))
  const open = keys.flatMap((key) => readResume(key) ?? []).filter(({ at }) => Math.abs(Date.now() - at) > UNANSWERED_MS)
  const texts: string[] = []
  for (const resume of open) {
    const outcome = await sendResume(cashierId, resume)
    if (outcome.kind === 'elsewhere' && outcome.text) texts.push(outcome.text)
    if (outcome.kind !== 'taken') continue
    if (resume.own || outcome.sale === null || holdOnDevice(cashierId, outcome.name, outcome.sale)) endResume(cashierId, resume.id)
  }
  return texts
}
