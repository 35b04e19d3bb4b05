/** What the devices of a page do; `window.devices` in the browser. */
export interface FakeDevices {
  grams: number
  isStable: boolean
  isScalePlugged: boolean
  isPrinterPlugged: boolean
  printed: number[]
  /** The port that the person chooses next. */
  next: 'scale' | 'printer'
}

declare global {
  interface Window {
    devices: FakeDevices
  }
}

/** Runs in the page before its scripts: Web Serial with a scale that sends by itself, and a printer that collects bytes. */
export function injectSerial(): void {
  const devices: FakeDevices = { grams: 0, isStable: true, isScalePlugged: true, isPrinterPlugged: true, printed: [], next: 'scale' }
  window.devices = devices
  const text = new TextEncoder()
  const scale = {
    readable: null as ReadableStream | null,
    writable: null,
    timer: 0 as unknown as ReturnType<typeof setInterval>,
    getInfo: () => ({ usbVendorId: 0x0403, usbProductId: 0x6001 }),
    async open() {
      scale.readable = new ReadableStream({
        start: (controller) => {
          scale.timer = setInterval(() => {
            const sign = devices.grams < 0 ? '-' : '+'
            const weight = (Math.abs(devices.grams) / 1000).toFixed(3).padStart(7)
            const line = `${devices.isStable ? 'ST' : 'US'},GS,${sign}${weight}kg\r\n`
            if (devices.isScalePlugged) return [line.slice(0, 9), line.slice(9)].forEach((part) => controller.enqueue(text.encode(part)))
            clearInterval(scale.timer)
            scale.readable = null
            controller.error(new DOMException('The device has been lost.', 'NetworkError'))
          }, 60)
        },
        cancel: () => clearInterval(scale.timer),
      })
    },
    close: async () => void (scale.readable = null),
  }
  const printer = {
    readable: null,
    writable: null as WritableStream | null,
    getInfo: () => ({ usbVendorId: 0x04b8, usbProductId: 0x0202 }),
    open: async () => void (printer.writable = new WritableStream({ write: (bytes: Uint8Array) => void devices.printed.push(...bytes) })),
    close: async () => void (printer.writable = null),
  }
  const serial = Object.assign(new EventTarget(), {
    getPorts: async () => [...(devices.isScalePlugged ? [scale] : []), ...(devices.isPrinterPlugged ? [printer] : [])],
    requestPort: async () => (devices.next === 'scale' ? scale : printer),
  })
  Object.defineProperty(navigator, 'serial', { value: serial })
}
