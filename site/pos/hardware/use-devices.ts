import { useState, useSyncExternalStore } from 'react'
import { deviceSettings, NO_DEVICES, onDevicesChange } from './device-settings.ts'
import { browserSerial, type PortId, portIdOf } from './serial.ts'

/** The device settings of this computer. */
export const useDevices = () => useSyncExternalStore(onDevicesChange, deviceSettings, () => NO_DEVICES)

/** Runs a choice of the person, and tells whether it failed. Closing the browser's list is no failure. */
export function useChoice() {
  const [hasFailed, setFailed] = useState(false)
  async function choose(work: () => Promise<void>) {
    setFailed(false)
    try {
      await work()
    } catch (error) {
      setFailed(!(error instanceof DOMException && error.name === 'NotFoundError'))
    }
  }
  return { choose, hasFailed }
}

/** Asks for a serial port. Rejects with NotFoundError when none is chosen. */
export async function chooseSerialPort(): Promise<PortId> {
  const serial = browserSerial()
  if (!serial) throw new Error('No Web Serial')
  const port = await serial.requestPort()
  return portIdOf(port, await serial.getPorts())
}
