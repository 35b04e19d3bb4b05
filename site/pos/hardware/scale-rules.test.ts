import { describe, expect, it } from 'vitest'
import { isScaleEmpty, lineReader, LineSplitter, quantityOf, readScaleLine, type ScaleReading, WeightFollower } from './scale-rules.ts'

const weight = (grams: number, isStable: boolean | null): ScaleReading => ({ kind: 'weight', grams, isStable })
const bytes = (text: string) => new TextEncoder().encode(text)

describe('readScaleLine', () => {
  it.each<[string, ScaleReading]>([
    ['ST,GS,+  1.234kg', weight(1234, true)],
    ['US,GS,+  1.234kg', weight(1234, false)],
    ['ST,NT,+00001.5 kg', weight(1500, true)],
    ['st,gs,   0.500KG', weight(500, true)],
    ['ST,+00123.4  g', weight(123, true)],
    ['ST,GS,-  0.045kg', weight(-45, true)],
    ['ST,GS,-  0.000kg', weight(0, true)],
    ['ST,GS,+ 1234 g', weight(1234, true)],
    ['ST,GS,+  2.000lb', weight(907, true)],
    ['ST,GS,+  2.000 lbs', weight(907, true)],
    ['OL,GS,+  9.999kg', { kind: 'overload' }],
    ['OL,', { kind: 'overload' }],
    ['UL,GS,', { kind: 'underload' }],
    ['ST,TR,+  0.100kg', { kind: 'tare' }],
    ['ST,T,+  0.100kg', { kind: 'tare' }],
    ['S S     1.234 kg', weight(1234, true)],
    ['S D    -0.5 kg', weight(-500, false)],
    ['S S   100.00 g', weight(100, true)],
    ['S +', { kind: 'overload' }],
    ['S -', { kind: 'underload' }],
    ['S I', { kind: 'busy' }],
    ['+  1.234 kg', weight(1234, null)],
    ['1.234kg', weight(1234, null)],
  ])('%s', (line, reading) => expect(readScaleLine(line)).toEqual(reading))

  it.each(['ST,GS,+  1.2oz', 'ST,GS,+  5 pcs', 'ST,GS,+ 12%', '1.2 tl'])('an unknown unit: %s', (line) =>
    expect(readScaleLine(line)).toEqual({ kind: 'wrong-unit' }),
  )

  it.each([
    '',
    'ST,GS,+  1.2.3kg',
    'ST,GS,+  1.23?kg',
    'ST,GS,+  1.234kgST,GS',
    'ST,GS,+  1.',
    'ST,GS,+  1.234',
    'GS,+  1.234kg',
    'ST,GS,+-1.2kg',
    'ST,GS,kg',
    '1,234 kg',
    '১.২৩৪ kg',
    'ERR 3',
    '12345678 g',
    '9999.9 kg',
    'S S',
  ])('unreadable: %j', (line) => expect(readScaleLine(line)).toEqual({ kind: 'unreadable' }))

  it('takes the unit of the settings where the scale sends none, and only there', () => {
    expect(readScaleLine('ST,GS,+  1.234', 'kg')).toEqual(weight(1234, true))
    expect(readScaleLine('+ 1234', 'g')).toEqual(weight(1234, null))
    expect(readScaleLine('+ 1234 g', 'kg')).toEqual(weight(1234, null))
  })
})

describe('LineSplitter', () => {
  it('drops what comes before the first line end: it may be the rest of a line', () => {
    expect(new LineSplitter().push(bytes('1.234kg\r\nST,GS,+ 11.234kg\r\n'))).toEqual(['ST,GS,+ 11.234kg'])
  })
  it('joins a line that arrives byte by byte', () => {
    const splitter = new LineSplitter()
    const lines = [...'\nST,GS,+  1.234kg\r\nUS'].flatMap((char) => splitter.push(bytes(char)))
    expect(lines).toEqual(['ST,GS,+  1.234kg'])
  })
  it('reads lines between STX and ETX, and many in one piece', () => {
    expect(new LineSplitter().push(bytes('\x02a\x03\x02b\x03\r\n\r\nc\r'))).toEqual(['a', 'b', 'c'])
  })
  it('drops a line without an end whole, and goes on with the next', () => {
    const splitter = new LineSplitter()
    expect(splitter.push(bytes(`\n${'x'.repeat(100_000)}`))).toEqual([])
    expect(splitter.push(bytes('1.234kg\r\n5.000kg\r\n'))).toEqual(['5.000kg'])
  })
  it('makes a line with noise unreadable', () => {
    const [line] = new LineSplitter().push(new Uint8Array([0x0a, ...bytes('ST,GS,+  1'), 0xb2, 0x00, ...bytes('.234kg\n')]))
    expect(readScaleLine(line!)).toEqual({ kind: 'unreadable' })
  })
})

describe('WeightFollower', () => {
  const follow = (readings: ScaleReading[], gapMs = 100) => {
    const follower = new WeightFollower()
    return readings.map((reading, at) => follower.add(reading, at * gapMs)).at(-1)
  }
  const shown = (grams: number, isStable: boolean) => ({ kind: 'weight', weight: { grams, isStable } })
  const broken: ScaleReading = { kind: 'unreadable' }

  it('a marked weight is stable when it comes twice', () => {
    expect(follow([weight(1234, true)])).toEqual(shown(1234, false))
    expect(follow([weight(1234, true), weight(1234, true)])).toEqual(shown(1234, true))
    expect(follow([weight(1234, true), weight(134, true)])).toEqual(shown(134, false))
    expect(follow([weight(1234, true), weight(1234, false), weight(1234, true)])).toEqual(shown(1234, false))
  })
  it('a weight without marks is stable when it stays the same for a while', () => {
    const same = (count: number) => Array.from({ length: count }, () => weight(500, null))
    expect(follow(same(7), 50)).toEqual(shown(500, false))
    expect(follow(same(3), 400)).toEqual(shown(500, false))
    expect(follow(same(7))).toEqual(shown(500, true))
    expect(follow([...same(6), weight(510, null)])).toEqual(shown(510, false))
  })
  it('an unstable weight is never stable', () => {
    expect(follow(Array.from({ length: 50 }, () => weight(500, false)))).toEqual(shown(500, false))
  })
  it('noise makes the weight unstable, and is named when it goes on', () => {
    const stable = [weight(500, true), weight(500, true)]
    expect(follow([...stable, broken])).toEqual(shown(500, false))
    expect(follow([...stable, broken, weight(500, true), weight(500, true)])).toEqual(shown(500, true))
    expect(follow([...stable, broken, broken, broken])).toEqual({ kind: 'unreadable' })
    expect(follow([broken])).toBeNull()
  })
  it('the end of a torn line is not a weight of a scale that marks its lines', () => {
    expect(follow([weight(11_234, true), weight(11_234, true), weight(234, null)])).toEqual(shown(11_234, false))
  })
  it('overload and a wrong unit hide the weight; a tare changes nothing', () => {
    const stable = [weight(500, true), weight(500, true)]
    expect(follow([...stable, { kind: 'overload' }])).toEqual({ kind: 'overload' })
    expect(follow([...stable, { kind: 'wrong-unit' }])).toEqual({ kind: 'wrong-unit' })
    expect(follow([...stable, { kind: 'tare' }])).toEqual(shown(500, true))
    expect(follow([...stable, { kind: 'overload' }, weight(500, true)])).toEqual(shown(500, false))
  })
})

it.each([
  [1234, '1.23'],
  [1235, '1.24'],
  [2000, '2'],
  [500, '0.5'],
  [5, '0.01'],
  [4, null],
  [0, null],
  [-500, null],
])('%i g is a quantity of %s', (grams, quantity) => expect(quantityOf(grams)).toBe(quantity))

it('a scale below 20 g is empty', () => {
  expect([-30, -19, 0, 19, 20].map(isScaleEmpty)).toEqual([true, true, true, true, false])
})

describe('lineReader', () => {
  const readings = (protocol: 'W' | 'continuous', lines: string[]) => {
    const read = lineReader({ protocol, unitless: null })
    return lines.map((line) => read(line))
  }
  it.each([
    ['S00', weight(2268, true)],
    ['00', weight(2268, true)],
    ['S20', weight(2268, true)],
    ['S10', weight(2268, false)],
    ['30', weight(2268, false)],
    ['S01', { kind: 'underload' }],
    ['S02', { kind: 'overload' }],
    ['S0p0', weight(2268, true)],
  ])('NCI: the status %s tells about the weight before it', (status, reading) =>
    expect(readings('W', ['05.000LB', status])).toEqual([null, reading]),
  )
  it('NCI: a scale that sends no status shows its weights all the same', () => {
    expect(readings('W', ['ST,GS,+  1.234kg', '1.500kg', '1.600kg'])).toEqual([weight(1234, true), null, weight(1500, null)])
  })
  it('NCI: a status without a weight, and noise, are no weight', () => {
    expect(readings('W', ['S00', '1.500kg', '1.5?0kg', 'S00'])).toEqual([null, null, { kind: 'unreadable' }, null])
  })
  it('NCI: digits alone are a weight where the scale sends no unit', () => {
    const read = lineReader({ protocol: 'W', unitless: 'g' })
    expect(['500', '510', 'S10'].map(read)).toEqual([null, weight(500, null), weight(510, false)])
  })
  it('other protocols have no status', () => {
    expect(readings('continuous', ['1.500kg', 'S00'])).toEqual([weight(1500, null), { kind: 'unreadable' }])
  })
})
