// Traffic lights of a running shop: `red` needs work now, `yellow` soon.
import { MAX_BACKUP_HOURS } from '#features/backup/schedule-rules.ts'
import { LOW_BALANCE_TAKA } from '#features/messaging/provider-response-rules.ts'
import type { ShopSnapshot } from './setup-rules.ts'
import { isHttps } from '#lib/http/is-https.ts'

/** What the health page knows besides the shop's own data. */
export interface HealthSnapshot extends ShopSnapshot {
  publicUrl: string
  isProduction: boolean
  /** Hours since the data of the newest backup; null without one. */
  backupAgeHours: number | null
  /** Whether the newest backup of the shop itself was not restored for a check. */
  isBackupUnchecked: boolean
  /** Whether the file of that backup is not in its folder on this machine. */
  isBackupFileMissing: boolean
  ownersWithoutFactor: number
  /** Whether an order was placed and cancelled, as a trial. */
  hasTrialOrder: boolean
  /** Whether an order has been delivered. */
  hasDeliveredOrder: boolean
  /** Free bytes where uploads and the embedded database are; null when unknown. */
  freeBytes: number | null
  failedSms: number
  /** Emails of the last day that failed, or wait after several failed attempts. */
  failedEmails: number
  /** Scheduled jobs that fail or are late. */
  jobProblems: number
}

export type LightKey =
  | 'https'
  | 'production'
  | 'backup'
  | 'sms'
  | 'factor'
  | 'policies'
  | 'product'
  | 'area'
  | 'payment'
  | 'order'
  | 'disk'
  | 'failedSms'
  | 'failedEmails'
  | 'jobs'

export type LightColor = 'green' | 'yellow' | 'red'

export interface Light {
  key: LightKey
  color: LightColor
  /** Selects the text beside the light: `backup.old`. */
  detail: string
  /** A number that the text names. */
  count: number
}

const GIB = 1024 ** 3
const DISK = { red: GIB, yellow: 5 * GIB }

/** Every light of the shop, in the order of the page. */
export function healthLights(snapshot: HealthSnapshot): Light[] {
  return [
    httpsLight(snapshot.publicUrl),
    snapshot.isProduction ? light('production', 'green', 'ok') : light('production', 'red', 'off'),
    backupLight(snapshot),
    smsLight(snapshot.sms),
    countLight('factor', snapshot.ownersWithoutFactor, 'red'),
    countLight('policies', snapshot.draftPolicies, 'yellow'),
    snapshot.visibleProducts > 0 ? light('product', 'green', 'ok', snapshot.visibleProducts) : light('product', 'red', 'none'),
    snapshot.activeAreas > 0 ? light('area', 'green', 'ok', snapshot.activeAreas) : light('area', 'red', 'none'),
    paymentLight(snapshot),
    snapshot.hasTrialOrder || snapshot.hasDeliveredOrder ? light('order', 'green', 'ok') : light('order', 'yellow', 'none'),
    diskLight(snapshot.freeBytes),
    countLight('failedSms', snapshot.failedSms, 'yellow'),
    countLight('failedEmails', snapshot.failedEmails, 'yellow'),
    countLight('jobs', snapshot.jobProblems, 'red'),
  ]
}

function light(key: LightKey, color: LightColor, detail: string, count = 0): Light {
  return { key, color, detail, count }
}

/** Green at zero. */
function countLight(key: LightKey, count: number, color: LightColor): Light {
  return count === 0 ? light(key, 'green', 'ok') : light(key, color, 'some', count)
}

function httpsLight(publicUrl: string): Light {
  if (isHttps(publicUrl)) return light('https', 'green', 'ok')
  // In production the start allows http only on this machine.
  return light('https', 'yellow', 'local')
}

function backupLight({ backupAgeHours, isBackupUnchecked, isBackupFileMissing }: HealthSnapshot): Light {
  if (backupAgeHours === null) return light('backup', 'red', 'none')
  const hours = Math.floor(backupAgeHours)
  if (backupAgeHours > MAX_BACKUP_HOURS) return light('backup', 'red', 'old', hours)
  if (isBackupFileMissing) return light('backup', 'yellow', 'gone', hours)
  return isBackupUnchecked ? light('backup', 'yellow', 'unchecked', hours) : light('backup', 'green', 'ok', hours)
}

function smsLight({ isConfigured, problem, balance }: HealthSnapshot['sms']): Light {
  if (!isConfigured) return light('sms', 'yellow', 'off')
  if (problem !== null) return light('sms', 'red', 'problem')
  if (balance === null) return light('sms', 'green', 'unknown')
  return balance < LOW_BALANCE_TAKA ? light('sms', 'yellow', 'low', balance) : light('sms', 'green', 'ok', balance)
}

/**
 * Animals are paid in part before they are delivered: without an account or a payment company nobody can order one. An account takes only the
 * advance that an animal has.
 */
function paymentLight({ gateways, advanceAccounts, animalsWithoutAdvance }: HealthSnapshot): Light {
  if (gateways.length + advanceAccounts === 0) return light('payment', 'yellow', 'none')
  const isBlocked = gateways.length === 0 && animalsWithoutAdvance > 0
  return isBlocked ? light('payment', 'yellow', 'no-advance', animalsWithoutAdvance) : light('payment', 'green', 'ok')
}

function diskLight(freeBytes: number | null): Light {
  if (freeBytes === null) return light('disk', 'yellow', 'unknown')
  const free = Math.floor(freeBytes / GIB)
  if (freeBytes < DISK.red) return light('disk', 'red', 'low', free)
  return light('disk', freeBytes < DISK.yellow ? 'yellow' : 'green', freeBytes < DISK.yellow ? 'low' : 'ok', free)
}
