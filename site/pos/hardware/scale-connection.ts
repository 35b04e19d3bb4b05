import type { ScaleSettings } from './device-settings.ts'
import { findPort, openPort, type Serial, type SerialPort } from './serial.ts'
import { lineReader, LineSplitter, type ScaleView, SILENT_MS, WeightFollower } from './scale-rules.ts'

export interface ScaleState {
  /** `unplugged`: the chosen port is not there. `occupied`: another tab or program has it, or it does not open. `silent`: connected, and nothing comes. */
  status: 'unplugged' | 'occupied' | 'silent' | 'connected'
  view: ScaleView
}

/** Milliseconds: for a port to open, next try to connect, requests to the scale, and when the scale is silent. */
const TIMES = { open: 10_000, retry: 2000, request: 300, silent: SILENT_MS }
/** The request lines of SICS, A&D and NCI. */
const REQUESTS = { SI: 'SI\r\n', Q: 'Q\r\n', W: 'W\r' }

/** Reads a scale until it is stopped; connects again after every failure. */
export class ScaleConnection {
  state: ScaleState = { status: 'silent', view: null }
  readonly #serial: Serial
  readonly #settings: ScaleSettings
  readonly #onChange: () => void
  readonly #times: typeof TIMES
  readonly #stop = new AbortController()
  /** Resolves when the port is closed after `stop`. */
  readonly done: Promise<void>

  constructor(serial: Serial, settings: ScaleSettings, onChange: () => void, times: Partial<typeof TIMES> = {}) {
    this.#serial = serial
    this.#settings = settings
    this.#onChange = onChange
    this.#times = { ...TIMES, ...times }
    this.done = this.#run()
  }

  stop(): Promise<void> {
    this.#stop.abort()
    return this.done
  }

  #set(status: ScaleState['status'], view: ScaleView): void {
    if (this.#stop.signal.aborted || (status === this.state.status && isSameView(view, this.state.view))) return
    this.state = { status, view }
    this.#onChange()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      const ports = await this.#serial.getPorts().catch(() => [])
      const port = this.#settings.port && findPort(this.#settings.port, ports)
      if (port) await this.#use(port)
      else this.#set('unplugged', null)
      if (!signal.aborted) await this.#pause()
    }
  }

  /** Waits until a device is plugged in, or for the next try. */
  #pause(): Promise<void> {
    const { signal } = this.#stop
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#serial.removeEventListener('connect', end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, this.#times.retry)
      this.#serial.addEventListener('connect', end)
      signal.addEventListener('abort', end)
    })
  }

  async #use(port: SerialPort): Promise<void> {
    const { baudRate, frame } = this.#settings
    const options = { baudRate, ...(frame === '7E1' ? ({ dataBits: 7, parity: 'even' } as const) : {}) }
    try {
      await openPort(port, options, this.#times.open)
    } catch {
      return this.#set('occupied', null)
    }
    this.#set('silent', null)
    const requests = this.#sendRequests(port)
    await this.#readAll(port)
    clearInterval(requests)
    await port.close().catch(() => {})
    this.#set('unplugged', null)
  }

  /** Reads until the port is lost. After a line error (parity, overrun) the browser offers a new stream. */
  async #readAll(port: SerialPort): Promise<void> {
    const follower = new WeightFollower()
    while (port.readable && !this.#stop.signal.aborted) {
      const isEnded = await this.#readStream(port.readable, follower)
      if (isEnded) return
      this.#set('connected', follower.add({ kind: 'unreadable' }, Date.now()))
      await new Promise((resolve) => setTimeout(resolve, this.#times.request))
    }
  }

  /** Whether the stream ended; false after an error. */
  async #readStream(readable: ReadableStream<Uint8Array>, follower: WeightFollower): Promise<boolean> {
    const { signal } = this.#stop
    const reader = readable.getReader()
    const cancel = () => void reader.cancel().catch(() => {})
    signal.addEventListener('abort', cancel)
    const splitter = new LineSplitter()
    const read = lineReader(this.#settings)
    const silent = () => setTimeout(() => this.#set('silent', null), this.#times.silent)
    let timer = silent()
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return true
        for (const line of splitter.push(value)) {
          clearTimeout(timer)
          timer = silent()
          const reading = read(line)
          if (reading) this.#set('connected', follower.add(reading, Date.now()))
        }
      }
    } catch {
      return false
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      reader.releaseLock()
    }
  }

  #sendRequests(port: SerialPort): ReturnType<typeof setInterval> | undefined {
    const { protocol } = this.#settings
    if (protocol === 'continuous') return undefined
    const request = new TextEncoder().encode(REQUESTS[protocol])
    let isWriting = false
    return setInterval(() => {
      if (isWriting || !port.writable) return
      isWriting = true
      const writer = port.writable.getWriter()
      // A failed write is a lost port, which the reader reports.
      void writer
        .write(request)
        .catch(() => {})
        .finally(() => {
          writer.releaseLock()
          isWriting = false
        })
    }, this.#times.request)
  }
}

function isSameView(a: ScaleView, b: ScaleView): boolean {
  if (a?.kind !== 'weight' || b?.kind !== 'weight') return a?.kind === b?.kind
  return a.weight.grams === b.weight.grams && a.weight.isStable === b.weight.isStable
}
