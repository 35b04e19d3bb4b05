import { FakePort } from './fake-serial.ts'

/** A scale that sends `ST,GS,+  1.234kg` by itself or per request, and misbehaves when told to. */
export class FakeScale extends FakePort {
  grams = 0
  isStable = true
  /** `split` sends each line in pieces, `noise` sends bytes that are no text between and within lines. */
  fault: 'split' | 'noise' | 'silent' | null = null
  readonly #everyMs: number | null
  #timer: ReturnType<typeof setInterval> | undefined

  /** `everyMs` null: answers requests only. */
  constructor(everyMs: number | null = 100) {
    super({ usbVendorId: 0x0403, usbProductId: 0x6001 })
    this.#everyMs = everyMs
  }

  override onOpen(): void {
    if (this.#everyMs !== null) this.#timer = setInterval(() => this.#send(), this.#everyMs)
  }

  override onClose(): void {
    clearInterval(this.#timer)
  }

  override unplug(): void {
    clearInterval(this.#timer)
    super.unplug()
  }

  override onWrite(): void {
    if (this.#everyMs === null) this.#send()
  }

  line(): string {
    const sign = this.grams < 0 ? '-' : '+'
    const kilograms = (Math.abs(this.grams) / 1000).toFixed(3).padStart(7)
    return `${this.isStable ? 'ST' : 'US'},GS,${sign}${kilograms}kg\r\n`
  }

  #send(): void {
    if (this.fault === 'silent') return
    const line = this.line()
    if (this.fault === 'noise') this.receive(new Uint8Array([0xff, 0x00, 0x8c]))
    if (this.fault !== 'split') return this.receive(line)
    this.receive(line.slice(0, 7))
    this.receive(line.slice(7, 8))
    this.receive(line.slice(8))
  }
}
