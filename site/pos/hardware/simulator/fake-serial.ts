import type { Serial, SerialOptions, SerialPort, SerialPortInfo } from '../serial.ts'

/** A serial port without hardware. `plugged` decides what `getPorts` lists; a port opens once at a time. */
export class FakePort implements SerialPort {
  readable: ReadableStream<Uint8Array> | null = null
  writable: WritableStream<Uint8Array> | null = null
  opened: SerialOptions | null = null
  isPlugged = true
  readonly #info: SerialPortInfo
  #incoming: ReadableStreamDefaultController<Uint8Array> | null = null

  constructor(info: SerialPortInfo) {
    this.#info = info
  }

  getInfo = (): SerialPortInfo => this.#info

  async open(options: SerialOptions): Promise<void> {
    if (!this.isPlugged) throw new DOMException('Unplugged', 'NetworkError')
    if (this.opened) throw new DOMException('Open already', 'InvalidStateError')
    this.opened = options
    this.#renew()
    // As in the browser, an abort ends the write that is under way.
    this.writable = new WritableStream({ write: (bytes, { signal }) => Promise.race([this.onWrite(bytes), aborted(signal)]) })
    this.onOpen()
  }

  async close(): Promise<void> {
    this.opened = null
    this.readable = this.writable = this.#incoming = null
    this.onClose()
  }

  #renew(): void {
    this.readable = new ReadableStream({ start: (controller) => void (this.#incoming = controller) })
  }

  /** Bytes from the device. */
  receive(bytes: Uint8Array | string): void {
    this.#incoming?.enqueue(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes)
  }

  /** An error of the line: the browser offers a new stream. */
  breakLine(): void {
    const broken = this.#incoming
    if (!broken) return
    this.#renew()
    broken.error(new DOMException('Parity', 'ParityError'))
  }

  unplug(): void {
    this.isPlugged = false
    const lost = this.#incoming
    this.readable = this.writable = this.#incoming = null
    lost?.error(new DOMException('The device has been lost.', 'NetworkError'))
  }

  onOpen(): void {}
  onClose(): void {}
  onWrite(_bytes: Uint8Array): Promise<void> | void {}
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

/** Web Serial without hardware. */
export class FakeSerial extends EventTarget implements Serial {
  readonly ports: FakePort[]

  constructor(...ports: FakePort[]) {
    super()
    this.ports = ports
  }

  getPorts = async (): Promise<SerialPort[]> => this.ports.filter(({ isPlugged }) => isPlugged)

  requestPort = async (): Promise<SerialPort> => {
    const port = this.ports.find(({ isPlugged, opened }) => isPlugged && !opened)
    if (!port) throw new DOMException('No port selected by the user.', 'NotFoundError')
    return port
  }

  plug(port: FakePort): void {
    port.isPlugged = true
    this.dispatchEvent(new Event('connect'))
  }
}
