import { expect, it } from 'vitest'
import { NO_DEVICES, readDeviceSettings } from './device-settings.ts'

it.each([null, '', '{', 'null', '[]', '7', '{"scale":null,"printer":"x"}', '{"scale":{"port":{"vendor":"1"}}}'])(
  '%j gives the defaults',
  (stored) => expect(readDeviceSettings(stored)).toEqual(NO_DEVICES),
)

it('reads what it stores, and drops values that do not exist', () => {
  const settings = {
    scale: { port: { vendor: 1027, product: 24_577, index: 0 }, baudRate: 4800, frame: '7E1', protocol: 'SI', unitless: 'g' },
    printer: { kind: 'serial', port: { vendor: null, product: null, index: 1 }, baudRate: 9600, dots: 384, opensDrawer: true },
  }
  expect(readDeviceSettings(JSON.stringify(settings))).toEqual(settings)
  const wrong = {
    scale: { ...settings.scale, baudRate: 1, unitless: 'oz' },
    printer: { ...settings.printer, kind: 'fax', dots: 1e9, opensDrawer: 1 },
  }
  expect(readDeviceSettings(JSON.stringify(wrong))).toEqual({
    scale: { ...settings.scale, baudRate: 9600, unitless: null },
    printer: { ...settings.printer, kind: 'browser', dots: 576, opensDrawer: false },
  })
})
