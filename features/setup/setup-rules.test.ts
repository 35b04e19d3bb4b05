import { describe, expect, it } from 'vitest'
import { MAX_BACKUP_HOURS } from '#features/backup/schedule-rules.ts'
import { healthLights, type HealthSnapshot } from './health-rules.ts'
import { openingProblem, setupSteps, type ShopSnapshot } from './setup-rules.ts'

/** A shop right after the migrations. */
const NEW: ShopSnapshot = {
  today: '2026-11-20',
  isOpen: false,
  hasOwnName: false,
  hasLogo: false,
  phone: '',
  address: '',
  cutoffHour: 21,
  deliveryDays: { ahead: 14, closedWeekdays: 0 },
  hasCollection: false,
  hasLicence: false,
  hasMap: false,
  hasCertificates: false,
  draftAboutPages: 2,
  activeAreas: 15,
  gateways: [],
  advanceAccounts: 0,
  sms: { isConfigured: false, problem: null, balance: null },
  draftPolicies: 4,
  visibleProducts: 0,
  animalsWithoutAdvance: 0,
  hiddenProducts: 0,
  staff: 0,
  seasonStarts: null,
  seasonEnds: '2025-06-06',
  proposedEid: '2027-05-17',
  kurbaniAnimals: 0,
  kurbaniWithoutDay: 0,
}
const states = (change: Partial<ShopSnapshot>) =>
  Object.fromEntries(setupSteps({ ...NEW, ...change }).map(({ key, state }) => [key, state]))

describe('the steps of the set-up', () => {
  it('of a new shop', () => {
    expect(states({})).toEqual({
      shop: 'missing',
      areas: 'done',
      delivery: 'optional',
      payment: 'missing',
      sms: 'optional',
      about: 'optional',
      policies: 'missing',
      products: 'missing',
      staff: 'optional',
      season: 'optional',
    })
  })

  it.each<[string, Partial<ShopSnapshot>, object]>([
    ['phone without address', { phone: '01712345678' }, { shop: 'missing' }],
    ['contacts under the first name', { phone: '01712345678', address: 'Bogura' }, { shop: 'optional' }],
    ['all of the shop', { phone: '01712345678', address: 'Bogura', hasOwnName: true, hasLogo: true }, { shop: 'done' }],
    ['no area', { activeAreas: 0 }, { areas: 'missing' }],
    ['an account for advances alone', { advanceAccounts: 1 }, { payment: 'optional' }],
    ['a gateway alone', { gateways: ['bkash'] }, { payment: 'optional' }],
    ['a gateway and an account', { gateways: ['bkash'], advanceAccounts: 1 }, { payment: 'done' }],
    ['a provider with a problem', { sms: { isConfigured: true, problem: 'balance', balance: 0 } }, { sms: 'optional' }],
    ['a provider', { sms: { isConfigured: true, problem: null, balance: null } }, { sms: 'done' }],
    ['a place of collection', { hasCollection: true }, { delivery: 'done' }],
    ['closed weekdays alone', { deliveryDays: { ahead: 7, closedWeekdays: 2 } }, { delivery: 'optional' }],
    ['a licence without a map', { hasLicence: true }, { about: 'optional' }],
    ['all of About', { hasLicence: true, hasMap: true, hasCertificates: true, draftAboutPages: 0 }, { about: 'done' }],
    ['About without a text', { hasLicence: true, hasMap: true, hasCertificates: true, draftAboutPages: 1 }, { about: 'optional' }],
    ['one draft left', { draftPolicies: 1 }, { policies: 'missing' }],
    ['no draft', { draftPolicies: 0 }, { policies: 'done' }],
    ['hidden products alone', { hiddenProducts: 3 }, { products: 'missing' }],
    ['a product, and hidden ones', { visibleProducts: 1, hiddenProducts: 3 }, { products: 'optional' }],
    ['a product', { visibleProducts: 1 }, { products: 'done' }],
    ['staff', { staff: 2 }, { staff: 'done' }],
    ['Kurbani cows in a season that is over', { kurbaniAnimals: 1 }, { season: 'missing' }],
    [
      'animals that come before the season',
      { kurbaniAnimals: 3, kurbaniWithoutDay: 2, seasonStarts: '2026-11-21', seasonEnds: '2026-11-25' },
      { season: 'optional' },
    ],
    [
      'animals without a date in the season',
      { kurbaniAnimals: 3, kurbaniWithoutDay: 2, seasonStarts: null, seasonEnds: '2026-11-25' },
      { season: 'done' },
    ],
    ['a season that ends today', { kurbaniAnimals: 1, seasonEnds: '2026-11-20' }, { season: 'done' }],
  ])('%s', (_what, change, expected) => {
    expect(states(change)).toMatchObject(expected)
  })

  it('counts what its texts name', () => {
    const items = setupSteps({ ...NEW, hiddenProducts: 7, deliveryDays: { ahead: 14, closedWeekdays: 1 } }).flatMap((step) => step.items)
    expect(Object.fromEntries(items.filter(({ count }) => count > 0).map(({ key, count }) => [key, count]))).toEqual({
      areas: 15,
      cutoff: 21,
      days: 14,
      weekdays: 1,
      about: 2,
      policies: 4,
      drafts: 7,
    })
    expect(items.filter(({ day }) => day !== '')).toMatchObject([{ key: 'season', day: '2027-05-17' }])
  })
})

it('opens with a product and an area, whatever else is missing', () => {
  expect(openingProblem({ visibleProducts: 0, activeAreas: 0 })).toBe('product')
  expect(openingProblem({ visibleProducts: 1, activeAreas: 0 })).toBe('areas')
  expect(openingProblem({ visibleProducts: 1, activeAreas: 1 })).toBeNull()
})

const GIB = 1024 ** 3
const HEALTHY: HealthSnapshot = {
  ...NEW,
  visibleProducts: 1,
  draftPolicies: 0,
  advanceAccounts: 1,
  sms: { isConfigured: true, problem: null, balance: 500 },
  publicUrl: 'https://khamar.example',
  isProduction: true,
  backupAgeHours: 5,
  isBackupUnchecked: false,
  isBackupFileMissing: false,
  ownersWithoutFactor: 0,
  hasTrialOrder: true,
  hasDeliveredOrder: false,
  freeBytes: 20 * GIB,
  failedSms: 0,
  failedEmails: 0,
  jobProblems: 0,
}

describe('the lights', () => {
  it('are green for a healthy shop', () => {
    expect(healthLights(HEALTHY).filter(({ color }) => color !== 'green')).toEqual([])
  })

  it.each<[string, Partial<HealthSnapshot>, string, string, string, number]>([
    ['http', { publicUrl: 'http://127.0.0.1:3000' }, 'https', 'yellow', 'local', 0],
    ['development', { isProduction: false }, 'production', 'red', 'off', 0],
    ['no backup', { backupAgeHours: null }, 'backup', 'red', 'none', 0],
    ['a backup of last night', { backupAgeHours: MAX_BACKUP_HOURS }, 'backup', 'green', 'ok', 26],
    ['a backup that was not restored for a check', { isBackupUnchecked: true }, 'backup', 'yellow', 'unchecked', 5],
    ['a backup whose file is gone', { isBackupFileMissing: true, isBackupUnchecked: true }, 'backup', 'yellow', 'gone', 5],
    ['an old backup that was not', { isBackupUnchecked: true, backupAgeHours: 30 }, 'backup', 'red', 'old', 30],
    ['an old backup', { backupAgeHours: MAX_BACKUP_HOURS + 0.1 }, 'backup', 'red', 'old', 26],
    ['no provider', { sms: { isConfigured: false, problem: null, balance: 500 } }, 'sms', 'yellow', 'off', 0],
    ['a provider that sends nothing', { sms: { isConfigured: true, problem: 'account', balance: 500 } }, 'sms', 'red', 'problem', 0],
    ['a low balance', { sms: { isConfigured: true, problem: null, balance: 199.5 } }, 'sms', 'yellow', 'low', 199.5],
    ['an unknown balance', { sms: { isConfigured: true, problem: null, balance: null } }, 'sms', 'green', 'unknown', 0],
    ['owners with a password alone', { ownersWithoutFactor: 2 }, 'factor', 'red', 'some', 2],
    ['drafts', { draftPolicies: 3 }, 'policies', 'yellow', 'some', 3],
    ['no product', { visibleProducts: 0 }, 'product', 'red', 'none', 0],
    ['no area', { activeAreas: 0 }, 'area', 'red', 'none', 0],
    ['no way to pay in advance', { advanceAccounts: 0 }, 'payment', 'yellow', 'none', 0],
    ['animals without an advance', { animalsWithoutAdvance: 2 }, 'payment', 'yellow', 'no-advance', 2],
    ['animals without an advance, paid online', { animalsWithoutAdvance: 2, gateways: ['bkash'] }, 'payment', 'green', 'ok', 0],
    ['a payment company alone', { advanceAccounts: 0, gateways: ['bkash'] }, 'payment', 'green', 'ok', 0],
    ['no order yet', { hasTrialOrder: false }, 'order', 'yellow', 'none', 0],
    ['an order delivered', { hasTrialOrder: false, hasDeliveredOrder: true }, 'order', 'green', 'ok', 0],
    ['a full disk', { freeBytes: GIB - 1 }, 'disk', 'red', 'low', 0],
    ['a small disk', { freeBytes: 5 * GIB - 1 }, 'disk', 'yellow', 'low', 4],
    ['an unknown disk', { freeBytes: null }, 'disk', 'yellow', 'unknown', 0],
    ['jobs that stand still', { jobProblems: 2 }, 'jobs', 'red', 'some', 2],
    ['undelivered SMS', { failedSms: 9 }, 'failedSms', 'yellow', 'some', 9],
    ['undelivered emails', { failedEmails: 3 }, 'failedEmails', 'yellow', 'some', 3],
  ])('%s', (_what, change, key, color, detail, count) => {
    expect(healthLights({ ...HEALTHY, ...change }).filter((light) => light.key === key)).toEqual([{ key, color, detail, count }])
  })
})
