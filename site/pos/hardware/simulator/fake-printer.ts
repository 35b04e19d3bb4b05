import { FakePort } from './fake-serial.ts'

/** A printer that collects what it gets; it can be slow, hang, or close in the middle. */
export class FakePrinter extends FakePort {
  readonly received: number[] = []
  delayMs = 0
  fault: 'hang' | 'close' | null = null
  /** The fault begins after this many bytes. */
  faultAfter = 0

  constructor() {
    super({ usbVendorId: 0x04b8, usbProductId: 0x0202 })
  }

  override async onWrite(bytes: Uint8Array): Promise<void> {
    if (this.fault !== null && this.received.length >= this.faultAfter) {
      if (this.fault === 'hang') return new Promise(() => {})
      this.unplug()
      throw new DOMException('The device has been lost.', 'NetworkError')
    }
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs))
    this.received.push(...bytes)
  }
}
