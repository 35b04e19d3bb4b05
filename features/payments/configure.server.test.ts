import { describe, expect, it } from 'vitest'
import { configureGateways, SIMULATOR_PREFIX } from '#features/payments/configure.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'

const log = { info() {}, warn() {} }
const env = { port: 3000, host: '0.0.0.0', publicUrl: 'http://localhost:3000', demo: 'off' as const }
const store = { SSLCOMMERZ_STORE_ID: 'khamar', SSLCOMMERZ_STORE_PASSWORD: 'secret' }
const wallet = { BKASH_USERNAME: 'u', BKASH_PASSWORD: 'p', BKASH_APP_KEY: 'k', BKASH_APP_SECRET: 's' }
const configure = (source: Record<string, string>) => configureGateways({ env, log, source })

describe('the gateways of a shop', () => {
  it('has none without credentials', () => expect(configure({})).toEqual({ gateways: { default: null }, simulator: null }))
  it('has the gateways with credentials', () => {
    expect(configure(store).gateways).toMatchObject({ sslcommerz: { name: 'sslcommerz' }, default: 'sslcommerz' })
    expect(configure(wallet).gateways).toMatchObject({ bkash: { name: 'bkash' }, default: 'bkash' })
    expect(configure({ ...store, ...wallet }).gateways.default).toBe('sslcommerz')
  })
  it('throws for incomplete credentials and for a URL without https', () => {
    expect(() => configure({ SSLCOMMERZ_STORE_ID: 'khamar' })).toThrow(SettingsError)
    expect(() => configure({ ...wallet, BKASH_APP_KEY: ' ' })).toThrow('BKASH_APP_KEY must be set too')
    expect(() => configure({ ...store, SSLCOMMERZ_BASE_URL: 'http://sandbox.example' })).toThrow(
      /^SSLCOMMERZ_BASE_URL must be an https address\.$/,
    )
  })
  it('pays at the simulator in a demo, with new secrets at each start', () => {
    const demo = () => configureGateways({ env: { ...env, demo: 'on' }, log, source: store })
    const { gateways, simulator } = demo()
    expect(gateways).toMatchObject({ sslcommerz: {}, bkash: {}, default: 'sslcommerz' })
    expect(simulator).toMatchObject({
      publicPrefix: `http://localhost:3000${SIMULATOR_PREFIX}`,
      shop: { internal: 'http://127.0.0.1:3000' },
    })
    expect(simulator!.faultSwitch).toBeFalsy()
    expect(demo().simulator!.credentials.storePassword).not.toBe(simulator!.credentials.storePassword)
  })
})
