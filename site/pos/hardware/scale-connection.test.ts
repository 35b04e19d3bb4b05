import { afterEach, expect, it, vi } from 'vitest'
import { NO_DEVICES, type ScaleSettings } from './device-settings.ts'
import { ScaleConnection } from './scale-connection.ts'
import { portIdOf } from './serial.ts'
import { FakeScale } from './simulator/fake-scale.ts'
import { FakeSerial } from './simulator/fake-serial.ts'

const TIMES = { open: 50, retry: 20, request: 5, silent: 60 }
const open: ScaleConnection[] = []
afterEach(() => Promise.all(open.splice(0).map((one) => one.stop())))

function connect(scale: FakeScale, changes: Partial<ScaleSettings> = {}) {
  const serial = new FakeSerial(scale)
  const settings = { ...NO_DEVICES.scale, port: portIdOf(scale, serial.ports), ...changes }
  const connection = new ScaleConnection(serial, settings, () => {}, TIMES)
  open.push(connection)
  return { serial, connection }
}
const shows = (connection: ScaleConnection, status: string, view: unknown) =>
  vi.waitFor(() => expect(connection.state).toEqual({ status, view }), { timeout: 5000, interval: 2 })
const stable = (grams: number) => ({ kind: 'weight', weight: { grams, isStable: true } })

it('shows the weight of a scale that sends by itself, also in pieces', async () => {
  const scale = new FakeScale(5)
  scale.grams = 1234
  const { connection } = connect(scale)
  await shows(connection, 'connected', stable(1234))
  scale.fault = 'split'
  scale.grams = 2500
  await shows(connection, 'connected', stable(2500))
  scale.isStable = false
  await shows(connection, 'connected', { kind: 'weight', weight: { grams: 2500, isStable: false } })
})

it.each(['SI', 'Q', 'W'] as const)('asks a scale that answers to %s', async (protocol) => {
  const scale = new FakeScale(null)
  scale.grams = -40
  const written: string[] = []
  const answer = scale.onWrite.bind(scale)
  scale.onWrite = (bytes?: Uint8Array) => {
    written.push(new TextDecoder().decode(bytes))
    answer()
  }
  const { connection } = connect(scale, { protocol })
  await shows(connection, 'connected', stable(-40))
  expect(written[0]).toBe(protocol === 'W' ? 'W\r' : `${protocol}\r\n`)
})

it('a scale that answers W with a weight and a status line has a stable weight', async () => {
  const scale = new FakeScale(null)
  scale.line = () => `\n01.234KG\r\nS${scale.isStable ? 0 : 1}0\r\x03`
  const { connection } = connect(scale, { protocol: 'W' })
  await shows(connection, 'connected', stable(1234))
  scale.isStable = false
  await shows(connection, 'connected', { kind: 'weight', weight: { grams: 1234, isStable: false } })
})

it('a scale that goes silent has no weight, until it sends again', async () => {
  const scale = new FakeScale(5)
  scale.grams = 700
  const { connection } = connect(scale)
  await shows(connection, 'connected', stable(700))
  scale.fault = 'silent'
  await shows(connection, 'silent', null)
  scale.fault = null
  await shows(connection, 'connected', stable(700))
})

it('noise on the line is named, not weighed', async () => {
  const scale = new FakeScale(5)
  scale.grams = 700
  scale.fault = 'noise'
  const { connection } = connect(scale)
  await shows(connection, 'connected', { kind: 'unreadable' })
  scale.fault = null
  await shows(connection, 'connected', stable(700))
})

it('connects again after it was unplugged, and after an error of the line', async () => {
  const scale = new FakeScale(5)
  scale.grams = 900
  const { serial, connection } = connect(scale)
  await shows(connection, 'connected', stable(900))
  scale.unplug()
  await shows(connection, 'unplugged', null)
  serial.plug(scale)
  await shows(connection, 'connected', stable(900))
  scale.breakLine()
  scale.grams = 800
  await shows(connection, 'connected', stable(800))
})

it('a port of another program is occupied, and used when it is free', async () => {
  const scale = new FakeScale(5)
  scale.grams = 900
  await scale.open({ baudRate: 9600 })
  const { connection } = connect(scale)
  await shows(connection, 'occupied', null)
  await scale.close()
  await shows(connection, 'connected', stable(900))
})

it('a port that does not open in time is occupied, closed when it opens at last, and used then', async () => {
  const scale = new FakeScale(5)
  scale.grams = 900
  const open = scale.open.bind(scale)
  const opening: (() => Promise<void>)[] = []
  scale.open = (options) => new Promise((resolve, reject) => opening.push(() => open(options).then(resolve, reject)))
  const { connection } = connect(scale)
  await shows(connection, 'occupied', null)
  scale.open = open
  await opening[0]!()
  await shows(connection, 'connected', stable(900))
})

it('opens the port as set, and closes it when it is stopped', async () => {
  const scale = new FakeScale(5)
  const { connection } = connect(scale, { baudRate: 2400, frame: '7E1' })
  await shows(connection, 'connected', stable(0))
  expect(scale.opened).toEqual({ baudRate: 2400, dataBits: 7, parity: 'even' })
  await connection.stop()
  expect(scale.opened).toBeNull()
})
