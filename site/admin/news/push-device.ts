import { HOUR_MS } from '#lib/format/time.ts'
import { call, csrfToken } from '#page/api-client.ts'
import { hasPush, setPush } from './news-store.ts'

/** Why a device cannot be notified. */
export type PushProblem = 'denied' | 'unsupported' | 'failed'

const WORKER = '/admin-worker.js'
const SCOPE = '/admin'
const ROUTE = '/api/admin/push'

/** Asks for the permission, subscribes at the push service of the browser, and tells the shop. The press of the user must be recent. */
export async function startPush(userId: number): Promise<PushProblem | null> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  try {
    const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE, updateViaCache: 'none' })
    await untilActive(registration)
    const status = await register(await subscribe(registration))
    // The shop knows no such push service.
    if (status === 422) return 'unsupported'
    if (status !== 200) return 'failed'
    setPush(userId, true)
    return null
  } catch {
    // The push service was not reached, or the browser has none.
    return 'failed'
  }
}

/** Ends the notifications of this device, in the browser also without network. The push service then reports it to the shop. */
export async function stopPush(userId: number): Promise<void> {
  setPush(userId, false)
  const subscription = await (await findRegistration())?.pushManager.getSubscription()
  if (!subscription) return
  await call(ROUTE, { method: 'DELETE', body: { endpoint: subscription.endpoint } })
  await subscription.unsubscribe()
}

const CHECKED = 'khamar.push-checked'

/**
 * Tells the shop once an hour and session which device to notify and in which language: it may have lost the device, or changed its keys, and
 * it ends the notifications with the session that told it last.
 */
export async function refreshPush(userId: number): Promise<void> {
  const check = `${document.documentElement.lang} ${Math.floor(Date.now() / HOUR_MS)} ${csrfToken().slice(-8)}`
  if (!hasPush(userId) || sessionStorage.getItem(CHECKED) === check) return
  const registration = Notification.permission === 'granted' ? await findRegistration() : undefined
  // Logging out has ended it, or the user has withdrawn the permission.
  if (!(await registration?.pushManager.getSubscription())) return setPush(userId, false)
  if ((await register(await subscribe(registration!))) === 200) sessionStorage.setItem(CHECKED, check)
}

/** The worker of the admin. The browser answers that of the shop while there is no other. */
async function findRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  return registration && new URL(registration.scope).pathname === SCOPE ? registration : undefined
}

/** The subscription for the key of the shop. One for a former key is replaced. */
async function subscribe(registration: ServiceWorkerRegistration): Promise<PushSubscription> {
  const answer = await call<{ key: string }>(ROUTE, { cache: 'no-store' })
  if (!answer.ok) throw new Error('no key')
  const key = Uint8Array.from(atob(answer.body.key.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
  const before = await registration.pushManager.getSubscription()
  const isSame = String(new Uint8Array(before?.options.applicationServerKey ?? new ArrayBuffer())) === String(key)
  if (before && isSame) return before
  await before?.unsubscribe()
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

/** Tells the shop of the device. Answers the status; none without an answer. */
async function register(subscription: PushSubscription): Promise<number | undefined> {
  const { endpoint, keys: { p256dh, auth } = {} } = subscription.toJSON()
  return (await call(ROUTE, { method: 'POST', body: { endpoint, keys: { p256dh, auth } } })).status
}

/** Resolves when the worker is active. Without one a browser refuses to subscribe. */
function untilActive(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.active ?? registration.waiting ?? registration.installing
  return new Promise((resolve, reject) => {
    const check = () => {
      if (worker?.state === 'activated') resolve()
      if (!worker || worker.state === 'redundant') reject(new Error('no worker'))
    }
    worker?.addEventListener('statechange', check)
    check()
  })
}
