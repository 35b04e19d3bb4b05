import { within } from '#lib/async/within.ts'
import type { PrinterSettings } from './device-settings.ts'
import { concat, endOfBand } from './escpos.ts'
import { browserSerial, findPort, openPort, type PortId, type Serial, type SerialPort } from './serial.ts'

/** Why a receipt was not printed. `stopped`: the printer took no more bytes, or was unplugged. A serial line does not tell that the roll is empty. */
export type PrintProblem = 'unsupported' | 'unplugged' | 'occupied' | 'stopped'

/** Bytes in one write: a printer that stops is noticed before all is sent. */
const CHUNK = 1024
/** A chunk takes 1.1 s at 9600 baud, and longer while the printer works off its buffer. */
const CHUNK_TIMEOUT_MS = 10_000

interface Sink {
  write(bytes: Uint8Array): Promise<unknown>
  /** Resolves when all is sent. */
  close(): Promise<unknown>
  abort(): Promise<unknown>
}

/** `device`: the same object for each job. */
type Opened = { ok: true; sink: Sink; device: object } | { ok: false; problem: PrintProblem }

/** Sends a job to the chosen printer. Null: all bytes are sent. */
export async function sendToPrinter(
  job: Uint8Array,
  { kind, port, baudRate, dots }: Pick<PrinterSettings, 'kind' | 'port' | 'baudRate' | 'dots'>,
  { serial = browserSerial(), usb = browserUsb(), timeoutMs = CHUNK_TIMEOUT_MS } = {},
): Promise<PrintProblem | null> {
  const opened = kind === 'usb' ? await openUsb(usb, port, timeoutMs) : await openSerial(serial, port, { baudRate, timeoutMs })
  if (!opened.ok) return opened.problem
  const isInterrupted = interrupted.has(opened.device)
  const problem = await writeAll(isInterrupted ? concat([endOfBand(dots), job]) : job, opened.sink, timeoutMs)
  if (problem === null) interrupted.delete(opened.device)
  else interrupted.add(opened.device)
  return problem
}

/** Printers whose last job stopped: they may still wait for the rest of a bitmap. */
const interrupted = new WeakSet<object>()

async function writeAll(job: Uint8Array, sink: Sink, timeoutMs: number): Promise<PrintProblem | null> {
  try {
    for (let at = 0; at < job.length; at += CHUNK) await within(sink.write(job.subarray(at, at + CHUNK)), timeoutMs)
    await within(sink.close(), timeoutMs)
    return null
  } catch {
    await within(sink.abort(), timeoutMs).catch(() => {})
    return 'stopped'
  }
}

/** A port that does not open in time must not stop all receipts behind this one. */
async function openSerial(
  serial: Serial | null,
  id: PortId | null,
  { baudRate, timeoutMs }: { baudRate: number; timeoutMs: number },
): Promise<Opened> {
  if (!serial) return { ok: false, problem: 'unsupported' }
  const port: SerialPort | null = id && findPort(id, await serial.getPorts().catch(() => []))
  if (!port) return { ok: false, problem: 'unplugged' }
  try {
    await openPort(port, { baudRate, bufferSize: 4 * CHUNK }, timeoutMs)
  } catch {
    return { ok: false, problem: 'occupied' }
  }
  const writer = port.writable!.getWriter()
  const release = () => port.close().catch(() => {})
  return {
    ok: true,
    device: port,
    sink: {
      write: (bytes) => writer.write(bytes),
      close: () => writer.close().then(release),
      abort: () => writer.abort().then(release, release),
    },
  }
}

/** The part of WebUSB (https://wicg.github.io/webusb/) that a printer needs. */
export interface UsbDevice {
  vendorId: number
  productId: number
  configuration: { interfaces: UsbInterface[] } | null
  open(): Promise<void>
  close(): Promise<void>
  selectConfiguration(value: number): Promise<void>
  claimInterface(number: number): Promise<void>
  transferOut(endpoint: number, bytes: Uint8Array): Promise<{ status: string }>
}
interface UsbInterface {
  interfaceNumber: number
  alternates: { interfaceClass: number; endpoints: { direction: string; type: string; endpointNumber: number }[] }[]
}
export interface Usb {
  getDevices(): Promise<UsbDevice[]>
  requestDevice(options: { filters: { classCode: number }[] }): Promise<UsbDevice>
}

/** The USB class of printers. */
export const USB_PRINTER = 7

export function browserUsb(): Usb | null {
  return (globalThis.navigator as { usb?: Usb } | undefined)?.usb ?? null
}

export const usbId = ({ vendorId, productId }: UsbDevice): PortId => ({ vendor: vendorId, product: productId, index: 0 })

async function openUsb(usb: Usb | null, id: PortId | null, timeoutMs: number): Promise<Opened> {
  if (!usb) return { ok: false, problem: 'unsupported' }
  const devices = await usb.getDevices().catch(() => [])
  const device = id && devices.find(({ vendorId, productId }) => vendorId === id.vendor && productId === id.product)
  if (!device) return { ok: false, problem: 'unplugged' }
  try {
    const endpoint = await within(claimPrinter(device), timeoutMs)
    const release = () => device.close().catch(() => {})
    const write = async (bytes: Uint8Array) => {
      const { status } = await device.transferOut(endpoint, bytes)
      if (status !== 'ok') throw new Error(status)
    }
    return { ok: true, device, sink: { write, close: release, abort: release } }
  } catch {
    await within(device.close(), timeoutMs).catch(() => {})
    return { ok: false, problem: 'occupied' }
  }
}

/** Opens the device and claims its printer. Resolves to the endpoint that takes the bytes. */
async function claimPrinter(device: UsbDevice): Promise<number> {
  await device.open()
  if (device.configuration === null) await device.selectConfiguration(1)
  const found = findBulkOut(device)
  if (found === null) throw new Error('Not a printer')
  await device.claimInterface(found.number)
  return found.endpoint
}

/** The endpoint that takes a printer's bytes. */
function findBulkOut({ configuration }: UsbDevice): { number: number; endpoint: number } | null {
  for (const { interfaceNumber, alternates } of configuration?.interfaces ?? [])
    for (const { interfaceClass, endpoints } of alternates) {
      const out = endpoints.find(({ direction, type }) => direction === 'out' && type === 'bulk')
      if (interfaceClass === USB_PRINTER && out) return { number: interfaceNumber, endpoint: out.endpointNumber }
    }
  return null
}
