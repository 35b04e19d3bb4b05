import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { normalizeNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { changeDevices } from '../device-settings.ts'
import { portIdOf, simulateSerial } from '../serial.ts'
import { FakePrinter } from './fake-printer.ts'
import { FakeScale } from './fake-scale.ts'
import { FakeSerial } from './fake-serial.ts'

const FAULTS = ['none', 'unstable', 'split', 'noise', 'silent', 'unplugged'] as const
type Fault = (typeof FAULTS)[number]

let simulation: { serial: FakeSerial; scale: FakeScale; printer: FakePrinter } | null = null

/** Replaces the ports of this page until it is reloaded. */
function startSimulation() {
  const [scale, printer] = [new FakeScale(), new FakePrinter()]
  const serial = new FakeSerial(scale, printer)
  simulateSerial(serial)
  simulation = { serial, scale, printer }
  changeDevices({ scale: { port: portIdOf(scale, serial.ports) }, printer: { kind: 'serial', port: portIdOf(printer, serial.ports) } })
  return simulation
}

/** Demo shop: a scale and a printer without hardware, with their faults. */
export default function SimulatorPanel() {
  const { t } = useI18n()
  const [running, setRunning] = useState(simulation)
  return (
    <section aria-labelledby="device-simulator" className="space-y-3">
      <h3 id="device-simulator" className="text-lg">
        {t('pos.simulator')}
      </h3>
      {running ? (
        <Controls {...running} />
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <p className="grow basis-60 text-stone">{t('pos.simulator.text')}</p>
          <Button kind="secondary" onClick={() => setRunning(startSimulation())}>
            {t('pos.simulator.start')}
          </Button>
        </div>
      )}
    </section>
  )
}

function setGrams(scale: FakeScale, typed: string): void {
  const grams = Number(normalizeNumber(typed))
  if (Number.isInteger(grams)) scale.grams = grams
}

function setFault({ serial, scale }: { serial: FakeSerial; scale: FakeScale }, fault: Fault): void {
  scale.isStable = fault !== 'unstable'
  scale.fault = fault === 'split' || fault === 'noise' || fault === 'silent' ? fault : null
  if (fault === 'unplugged') scale.unplug()
  else if (!scale.isPlugged) serial.plug(scale)
}

function faultOf({ isPlugged, isStable, fault }: FakeScale): Fault {
  if (!isPlugged) return 'unplugged'
  return isStable ? (fault ?? 'none') : 'unstable'
}

function Controls(devices: NonNullable<typeof simulation>) {
  const { t } = useI18n()
  const { scale } = devices
  const [typed, setTyped] = useState(String(scale.grams))
  const [chosen, setChosen] = useState(() => faultOf(scale))
  const type = (text: string) => {
    setTyped(text)
    setGrams(scale, text)
  }
  const choose = (fault: Fault) => {
    setChosen(fault)
    setFault(devices, fault)
  }
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField label={t('pos.simulator.grams')} inputMode="numeric" value={typed} onChange={({ target }) => type(target.value)} />
      <SelectField label={t('pos.simulator.fault')} value={chosen} onChange={({ target }) => choose(target.value as Fault)}>
        {FAULTS.map((one) => (
          <option key={one} value={one}>
            {t(`pos.simulator.fault.${one}`)}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
