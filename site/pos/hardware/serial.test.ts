import { expect, it } from 'vitest'
import { findPort, portIdOf, type SerialPort, type SerialPortInfo } from './serial.ts'

const port = (info: SerialPortInfo) => ({ getInfo: () => info }) as SerialPort
const ftdi = { usbVendorId: 0x0403, usbProductId: 0x6001 }

it('finds a port again by its USB ids, in another order of the list', () => {
  const [scale, printer] = [port(ftdi), port({ usbVendorId: 0x04b8, usbProductId: 0x0202 })]
  const id = portIdOf(printer, [scale, printer])
  expect(findPort(id, [printer, scale])).toBe(printer)
  expect(findPort(id, [scale])).toBeNull()
})

it('tells equal adapters and built-in ports apart by their order', () => {
  const ports = [port(ftdi), port({}), port(ftdi), port({})]
  for (const one of ports) expect(findPort(portIdOf(one, ports), ports)).toBe(one)
  expect(portIdOf(ports[3]!, ports)).toEqual({ vendor: null, product: null, index: 1 })
})
