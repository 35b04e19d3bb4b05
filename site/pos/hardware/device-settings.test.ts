// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { changeDevices, deviceSettings, NO_DEVICES, onDevicesChange, readDeviceSettings } from './device-settings.ts'

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

it('a change in another tab holds here too, and a change here keeps it', () => {
  let changes = 0
  onDevicesChange(() => changes++)
  changeDevices({ scale: { baudRate: 4800 } })
  const stored = () => localStorage.getItem('khamar.devices')
  // The other tab has read the settings, and chooses a printer.
  const { scale, printer } = readDeviceSettings(stored())
  const newValue = JSON.stringify({ scale, printer: { ...printer, dots: 384 } })
  localStorage.setItem('khamar.devices', newValue)
  const before = deviceSettings()
  window.dispatchEvent(new StorageEvent('storage', { key: 'khamar.devices', newValue }))
  expect(changes).toBe(2)
  expect(deviceSettings().printer.dots).toBe(384)
  expect(deviceSettings().scale).toBe(before.scale)
  changeDevices({ scale: { baudRate: 2400 } })
  expect(readDeviceSettings(stored())).toMatchObject({ scale: { baudRate: 2400 }, printer: { dots: 384 } })
})
