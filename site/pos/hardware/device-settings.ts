import type { PortId } from './serial.ts'
import { WEIGHT_UNITS, type WeightUnit } from './scale-rules.ts'

// The devices of this counter: stored on this computer, because another counter has others.

export const BAUD_RATES = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200] as const
export const FRAMES = ['8N1', '7E1'] as const
/** How the scale sends: by itself, or one line for each request. The requests are those of SICS, A&D and NCI. */
export const SCALE_PROTOCOLS = ['continuous', 'SI', 'Q', 'W'] as const
/** Printable dots of 58 mm and 80 mm rolls at 203 dpi. */
export const PAPER_DOTS = [384, 576] as const
/** The width of the roll by its dots, in millimetres. */
export const PAPER_MM = { 384: 58, 576: 80 } as const

export interface ScaleSettings {
  port: PortId | null
  baudRate: number
  frame: (typeof FRAMES)[number]
  protocol: (typeof SCALE_PROTOCOLS)[number]
  /** The unit of a scale that sends none. */
  unitless: WeightUnit | null
}

export interface PrinterSettings {
  /** `browser`: the print dialog of the browser. */
  kind: 'browser' | 'serial' | 'usb'
  port: PortId | null
  baudRate: number
  dots: (typeof PAPER_DOTS)[number]
  /** A cash sale opens the drawer that is plugged into the printer. */
  opensDrawer: boolean
}

export interface DeviceSettings {
  scale: ScaleSettings
  printer: PrinterSettings
}

export const NO_DEVICES: DeviceSettings = {
  scale: { port: null, baudRate: 9600, frame: '8N1', protocol: 'continuous', unitless: null },
  printer: { kind: 'browser', port: null, baudRate: 115_200, dots: 576, opensDrawer: false },
}

const oneOf = <T>(value: unknown, choices: readonly T[], otherwise: T): T => choices.find((one) => one === value) ?? otherwise
const record = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {})

function readPort(value: unknown): PortId | null {
  const { vendor, product, index } = record(value)
  const isId = (id: unknown): id is number | null => id === null || Number.isInteger(id)
  return isId(vendor) && isId(product) && Number.isInteger(index) ? { vendor, product, index: index as number } : null
}

/** Settings from storage; each value that is missing or unknown gets its default. */
export function readDeviceSettings(stored: string | null): DeviceSettings {
  let value: unknown
  try {
    value = JSON.parse(stored ?? 'null')
  } catch {
    value = null
  }
  const { scale, printer } = NO_DEVICES
  const [s, p] = [record(record(value).scale), record(record(value).printer)]
  return {
    scale: {
      port: readPort(s.port),
      baudRate: oneOf<number>(s.baudRate, BAUD_RATES, scale.baudRate),
      frame: oneOf(s.frame, FRAMES, scale.frame),
      protocol: oneOf(s.protocol, SCALE_PROTOCOLS, scale.protocol),
      unitless: oneOf<WeightUnit | null>(s.unitless, WEIGHT_UNITS, null),
    },
    printer: {
      kind: oneOf(p.kind, ['browser', 'serial', 'usb'] as const, printer.kind),
      port: readPort(p.port),
      baudRate: oneOf<number>(p.baudRate, BAUD_RATES, printer.baudRate),
      dots: oneOf(p.dots, PAPER_DOTS, printer.dots),
      opensDrawer: p.opensDrawer === true,
    },
  }
}

const KEY = 'khamar.devices'
let current: DeviceSettings | undefined
const listeners = new Set<() => void>()

const emit = () => {
  for (const listener of listeners) listener()
}

/** Another tab has changed the settings, or cleared the storage (a null key). Unchanged settings of the scale stay the same object: it stays connected. */
function readChange({ key, newValue }: StorageEvent): void {
  if (key !== KEY && key !== null) return
  const { scale } = deviceSettings()
  current = readDeviceSettings(newValue)
  if (JSON.stringify(scale) === JSON.stringify(current.scale)) current = { ...current, scale }
  emit()
}
if (typeof window !== 'undefined') window.addEventListener('storage', readChange)

/** The settings of this computer; the same object until they change. */
export function deviceSettings(): DeviceSettings {
  if (typeof localStorage === 'undefined') return NO_DEVICES
  try {
    current ??= readDeviceSettings(localStorage.getItem(KEY))
  } catch {
    current = NO_DEVICES
  }
  return current
}

/** Changes the settings of this page, and stores them where the browser allows it. */
export function changeDevices(changes: { scale?: Partial<ScaleSettings>; printer?: Partial<PrinterSettings> }): void {
  const before = deviceSettings()
  current = { scale: { ...before.scale, ...changes.scale }, printer: { ...before.printer, ...changes.printer } }
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
  } catch {
    // Full or forbidden storage: the settings hold until the page is left.
  }
  emit()
}

export function onDevicesChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
