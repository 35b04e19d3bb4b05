import { within } from '#lib/async/within.ts'
// The part of Web Serial (https://wicg.github.io/serial/) that the POS uses; TypeScript does not describe it.

export interface SerialPortInfo {
  usbVendorId?: number
  usbProductId?: number
}

export interface SerialOptions {
  baudRate: number
  dataBits?: 7 | 8
  parity?: 'none' | 'even'
  bufferSize?: number
}

export interface SerialPort {
  readonly readable: ReadableStream<Uint8Array> | null
  readonly writable: WritableStream<Uint8Array> | null
  open(options: SerialOptions): Promise<void>
  close(): Promise<void>
  getInfo(): SerialPortInfo
}

export interface Serial extends EventTarget {
  getPorts(): Promise<SerialPort[]>
  /** Asks the person; only after a click. Rejects with NotFoundError when no port is chosen. */
  requestPort(): Promise<SerialPort>
}

let simulated: Serial | null = null

/** Replaces the ports of this page by those of the simulator (demo shop, tests). */
export function simulateSerial(serial: Serial | null): void {
  simulated = serial
}

/** Web Serial of this browser; null in Firefox, Safari, on phones, and on http pages. */
export function browserSerial(): Serial | null {
  return simulated ?? (globalThis.navigator as { serial?: Serial } | undefined)?.serial ?? null
}

/** Identifies a port across page loads: USB ids, and which of several equal ones. Built-in ports have no ids. */
export interface PortId {
  vendor: number | null
  product: number | null
  index: number
}

const isSame = (a: SerialPortInfo, b: SerialPortInfo) => a.usbVendorId === b.usbVendorId && a.usbProductId === b.usbProductId

/** The id of a port among the ports that the shop may use. */
export function portIdOf(port: SerialPort, ports: readonly SerialPort[]): PortId {
  const info = port.getInfo()
  const equal = ports.filter((other) => isSame(other.getInfo(), info))
  return { vendor: info.usbVendorId ?? null, product: info.usbProductId ?? null, index: Math.max(0, equal.indexOf(port)) }
}

/** The port with this id; null while it is unplugged. */
export function findPort({ vendor, product, index }: PortId, ports: readonly SerialPort[]): SerialPort | null {
  const info = { ...(vendor === null ? {} : { usbVendorId: vendor }), ...(product === null ? {} : { usbProductId: product }) }
  return ports.filter((port) => isSame(port.getInfo(), info))[index] ?? null
}

/** Opens a port. Rejects when it is in use, or does not open in time, as of a Bluetooth device that is off; it is closed when it opens later. */
export async function openPort(port: SerialPort, options: SerialOptions, timeoutMs: number): Promise<void> {
  const opening = port.open(options)
  try {
    await within(opening, timeoutMs)
  } catch (error) {
    void opening.then(() => port.close()).catch(() => {})
    throw error
  }
}
