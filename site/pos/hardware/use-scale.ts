import { useSyncExternalStore } from 'react'
import { deviceSettings, onDevicesChange, type ScaleSettings } from './device-settings.ts'
import { ScaleConnection, type ScaleState } from './scale-connection.ts'
import { browserSerial } from './serial.ts'

/** `off`: no scale is chosen. `unsupported`: the browser has no Web Serial. */
export type PosScale = ScaleState | { status: 'off' | 'unsupported'; view: null }

const OFF: PosScale = { status: 'off', view: null }
const UNSUPPORTED: PosScale = { status: 'unsupported', view: null }

// One connection for the page: a port opens once.
const listeners = new Set<() => void>()
let connection: ScaleConnection | null = null
let used: ScaleSettings | null = null
/** The former connection, until its port is closed. */
let closing: Promise<unknown> = Promise.resolve()

const emit = () => {
  for (const listener of listeners) listener()
}

/** Connects, disconnects or connects again, as the settings say. */
function follow(): void {
  const { scale } = deviceSettings()
  const isWanted = listeners.size > 0 && scale.port !== null
  if (isWanted && used === scale) return
  used = isWanted ? scale : null
  if (connection) closing = connection.stop()
  connection = null
  const serial = browserSerial()
  if (isWanted && serial)
    void closing.then(() => {
      // Other settings may have come meanwhile.
      if (used !== scale) return
      connection = new ScaleConnection(serial, scale, emit)
      emit()
    })
  emit()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  const stopFollowing = onDevicesChange(follow)
  follow()
  return () => {
    stopFollowing()
    listeners.delete(listener)
    follow()
  }
}

function snapshot(): PosScale {
  if (deviceSettings().scale.port === null) return OFF
  return connection?.state ?? (browserSerial() ? OFF : UNSUPPORTED)
}

/** The scale of this counter. Connects while a component uses it. */
export function useScale(): PosScale {
  return useSyncExternalStore(subscribe, snapshot, () => OFF)
}
