// Notifications on the devices of staff (docs/domain.md, decision 64).
import { can, STAFF_ROLES, type StaffRole } from '#features/auth/permissions.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { NEWS, type NewsKind } from '../rules.ts'

/** Devices of one user. One more replaces the one that was switched on first. */
export const MAX_DEVICES = 10
export const MAX_ENDPOINT_LENGTH = 1000
/** What could not be delivered for so long is dropped, here and by the push service. */
export const TTL_SECONDS = 12 * 3600
/** A device is deleted after its push service has refused so many attempts in a row. A service that is away refuses none. */
export const MAX_FAILURES = 30

/** The push services of Chrome (also Edge on Android, Opera, Samsung), Firefox, Windows and Apple. */
const HOSTS = ['fcm.googleapis.com', 'updates.push.services.mozilla.com']
const DOMAINS = ['.notify.windows.com', '.push.apple.com']

/**
 * Whether the server may send to this address: a known push service over https, on its standard port. Everything else is refused, so that
 * no account makes the server call a host of its own network. `simulator` is the origin of one that tests have started.
 */
export function isPushEndpoint(text: string, simulator: string | null = null): boolean {
  const url = URL.parse(text)
  if (url === null || text.length > MAX_ENDPOINT_LENGTH || url.username || url.password || url.hash) return false
  if (simulator !== null && url.origin === simulator) return true
  if (url.protocol !== 'https:' || url.port !== '') return false
  return HOSTS.includes(url.hostname) || DOMAINS.some((domain) => url.hostname.endsWith(domain))
}

/** The roles that may see a kind. */
export function rolesOf(kind: NewsKind): StaffRole[] {
  return STAFF_ROLES.filter((role) => can(role, NEWS[kind].permission))
}

/** The seconds that the header Retry-After asks for; 0 without one. */
export function retryAfterSeconds(header: string | null, now: Date): number {
  if (header === null) return 0
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), TTL_SECONDS) : 0
}

/** What the worker of a device gets (server/routes/admin-worker.ts). Lock screens show it, so it names no customer and no amount. */
export interface PushPayload {
  kind: NewsKind
  count: number
  /** "New orders", in the language of the device. The worker adds the number. */
  label: string
  shop: string
  lang: Lang
  url: string
}
