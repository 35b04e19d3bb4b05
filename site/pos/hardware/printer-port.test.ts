import { describe, expect, it } from 'vitest'
import { receiptJob } from './escpos.ts'
import { sendToPrinter, type Usb, type UsbDevice, usbId } from './printer-port.ts'
import { portIdOf } from './serial.ts'
import { FakePrinter } from './simulator/fake-printer.ts'
import { FakeScale } from './simulator/fake-scale.ts'
import { FakeSerial } from './simulator/fake-serial.ts'

const JOB = Uint8Array.from({ length: 5000 }, (_, at) => at % 251)

/** The commands as a printer reads them; zeros between commands are none. Throws for other bytes. */
function commandsOf(bytes: readonly number[]): string[] {
  const commands: string[] = []
  let at = 0
  const take = (length: number, name: string) => {
    commands.push(name)
    at += length
  }
  while (at < bytes.length) {
    const [first, second] = [bytes[at], bytes[at + 1]]
    if (first === 0) at += 1
    else if (first === 0x1b && second === 0x40) take(2, 'init')
    else if (first === 0x1b && second === 0x70) take(5, 'drawer')
    else if (first === 0x1b && second === 0x64) take(3, 'feed')
    else if (first === 0x1d && second === 0x56) take(4, 'cut')
    else if (first === 0x1d && second === 0x76) {
      const rows = bytes[at + 6]! + 256 * bytes[at + 7]!
      take(8 + rows * (bytes[at + 4]! + 256 * bytes[at + 5]!), `band ${rows}`)
    } else throw new Error(`No command: ${first} at ${at}`)
  }
  return commands
}

describe('serial printer', () => {
  function plugged() {
    const printer = new FakePrinter()
    const serial = new FakeSerial(new FakeScale(null), printer)
    const settings = { kind: 'serial', port: portIdOf(printer, serial.ports), baudRate: 38_400, dots: 576 } as const
    const send = (timeoutMs = 5000) => sendToPrinter(JOB, settings, { serial, timeoutMs })
    return { printer, serial, settings, send }
  }

  it('gets every byte in order, and is free afterwards', async () => {
    const { printer, send } = plugged()
    expect(await send()).toBeNull()
    expect(printer.received).toEqual([...JOB])
    expect(printer.opened).toBeNull()
    expect(await send()).toBeNull()
    expect(printer.received.length).toBe(2 * JOB.length)
  })
  it('may be slow', async () => {
    const { printer, send } = plugged()
    printer.delayMs = 20
    expect(await send(200)).toBeNull()
    expect(printer.received.length).toBe(JOB.length)
  })
  it.each(['hang', 'close'] as const)('that fails in the middle (%s) is reported', async (fault) => {
    const { printer, send } = plugged()
    Object.assign(printer, { fault, faultAfter: 2048 })
    expect(await send(50)).toBe('stopped')
    expect(printer.received.length).toBe(2048)
  })
  it.each(['hang', 'close'] as const)(
    'that stopped within a bitmap (%s) prints the next receipt whole, and opens the drawer',
    async (fault) => {
      const { printer, serial, settings } = plugged()
      const bitmap = { width: 576, height: 500, data: new Uint8Array(72 * 500).fill(255) }
      const job = receiptJob([bitmap], { opensDrawer: true })
      const send = (timeoutMs = 5000) => sendToPrinter(job, settings, { serial, timeoutMs })
      Object.assign(printer, { fault, faultAfter: 20_000 })
      expect(await send(50)).toBe('stopped')
      Object.assign(printer, { fault: null, isPlugged: true })
      expect(await send()).toBeNull()
      expect(commandsOf(printer.received)).toEqual([
        'init',
        'drawer',
        'band 240',
        'band 240',
        'init',
        'drawer',
        'band 240',
        'band 240',
        'band 20',
        'feed',
        'cut',
      ])
      printer.received.length = 0
      expect(await send()).toBeNull()
      expect(printer.received).toEqual([...job])
    },
  )
  it('that does not open in time stops no later receipt, and is closed when it opens at last', async () => {
    const { printer, send } = plugged()
    let openAtLast = () => {}
    const open = printer.open.bind(printer)
    printer.open = (options) =>
      new Promise((resolve, reject) => {
        openAtLast = () => void open(options).then(resolve, reject)
      })
    expect(await send(20)).toBe('occupied')
    openAtLast()
    await expect.poll(() => printer.opened).toBeNull()
    printer.open = open
    expect(await send()).toBeNull()
  })
  it('that is unplugged, used by another program, or never chosen is reported', async () => {
    const { printer, serial, settings, send } = plugged()
    await printer.open({ baudRate: 9600 })
    expect(await send()).toBe('occupied')
    printer.isPlugged = false
    expect(await send()).toBe('unplugged')
    expect(await sendToPrinter(JOB, { ...settings, port: null }, { serial })).toBe('unplugged')
    expect(await sendToPrinter(JOB, settings, { serial: null })).toBe('unsupported')
  })
})

describe('USB printer', () => {
  function device(changes: Partial<UsbDevice> = {}) {
    const received: number[] = []
    const calls: string[] = []
    const endpoints = [
      { direction: 'in', type: 'bulk', endpointNumber: 1 },
      { direction: 'out', type: 'bulk', endpointNumber: 2 },
    ]
    const printer: UsbDevice = {
      vendorId: 0x04b8,
      productId: 0x0e15,
      configuration: {
        interfaces: [
          { interfaceNumber: 0, alternates: [{ interfaceClass: 3, endpoints }] },
          { interfaceNumber: 1, alternates: [{ interfaceClass: 7, endpoints }] },
        ],
      },
      open: async () => void calls.push('open'),
      close: async () => void calls.push('close'),
      selectConfiguration: async () => {},
      claimInterface: async (number) => void calls.push(`claim ${number}`),
      transferOut: async (endpoint, bytes) => {
        received.push(...bytes)
        return { status: endpoint === 2 ? 'ok' : 'stall' }
      },
      ...changes,
    }
    const usb: Usb = { getDevices: async () => [printer], requestDevice: async () => printer }
    const send = (timeoutMs = 5000) =>
      sendToPrinter(JOB, { kind: 'usb', port: usbId(printer), baudRate: 9600, dots: 576 }, { usb, timeoutMs })
    return { printer, received, calls, send }
  }

  it('gets every byte at the endpoint of its printer interface', async () => {
    const { received, calls, send } = device()
    expect(await send()).toBeNull()
    expect(received).toEqual([...JOB])
    expect(calls).toEqual(['open', 'claim 1', 'close'])
  })
  it('that the system uses, that stalls, or that is no printer is reported and closed', async () => {
    const claimed = device({ claimInterface: () => Promise.reject(new DOMException('', 'NetworkError')) })
    expect(await claimed.send()).toBe('occupied')
    expect(claimed.calls.at(-1)).toBe('close')
    const stalled = device({ transferOut: async () => ({ status: 'stall' }) })
    expect(await stalled.send()).toBe('stopped')
    expect(stalled.calls.at(-1)).toBe('close')
    expect(await device({ configuration: { interfaces: [] } }).send()).toBe('occupied')
    const silent = device({ open: () => new Promise(() => {}) })
    expect(await silent.send(20)).toBe('occupied')
    expect(silent.calls.at(-1)).toBe('close')
  })
  it('needs WebUSB, and a device that is there', async () => {
    const settings = { kind: 'usb', port: { vendor: 1, product: 1, index: 0 }, baudRate: 9600, dots: 576 } as const
    expect(await sendToPrinter(JOB, settings, { usb: null })).toBe('unsupported')
    expect(await sendToPrinter(JOB, settings, { usb: { getDevices: async () => [] } as unknown as Usb })).toBe('unplugged')
  })
})
