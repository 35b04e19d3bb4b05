import { describe, expect, it } from 'vitest'
import { SharedReadCache } from './shared-read-cache.ts'

const [AMINA, RAHIM] = [1, 2]

function setUp() {
  const time = { now: 1000 }
  const seen = new SharedReadCache(2000, () => time.now)
  const readings: ((found: string) => void)[] = []
  const look = (person: number, name = 'tasks') => seen.see(name, person, () => new Promise<string>((resolve) => readings.push(resolve)))
  return { time, seen, readings, look }
}

describe('what several people look at', () => {
  it('is read once for all who come while it is read', async () => {
    const { readings, look, time } = setUp()
    const first = look(AMINA)
    time.now += 5000
    const second = look(RAHIM)
    expect(readings.length).toBe(1)
    readings[0]!('seven')
    expect(await Promise.all([first, second])).toEqual(['seven', 'seven'])
  })

  it('is read anew when it is too old, and by its name', async () => {
    const { readings, look, time } = setUp()
    const first = look(AMINA)
    void look(AMINA, 'low')
    expect(readings.length).toBe(2)
    readings[0]!('seven')
    await first
    time.now += 1999
    expect(await look(RAHIM)).toBe('seven')
    time.now += 1
    void look(RAHIM)
    expect(readings.length).toBe(3)
  })

  it('is read anew for whoever has changed something since it was begun, also while it is read; others see what is there', async () => {
    const { readings, look, time, seen } = setUp()
    const first = look(RAHIM)
    time.now += 10
    seen.changed(AMINA)
    time.now += 10
    const hers = look(AMINA)
    expect(readings.length).toBe(2)
    readings[0]!('seven')
    readings[1]!('six')
    expect(await Promise.all([first, hers])).toEqual(['seven', 'six'])
    time.now += 10
    expect(await look(AMINA)).toBe('six')
    expect(await look(RAHIM)).toBe('six')
    expect(readings.length).toBe(2)
  })

  it('does not take a change in the same moment for seen', async () => {
    const { readings, look, seen } = setUp()
    void look(RAHIM)
    seen.changed(AMINA)
    void look(AMINA)
    expect(readings.length).toBe(2)
  })

  it('remembers a change as long as there is a reading from before it', async () => {
    const { readings, look, time, seen } = setUp()
    void look(RAHIM)
    time.now += 10
    seen.changed(AMINA)
    time.now += 60_000
    seen.changed(RAHIM)
    void look(AMINA)
    expect(readings.length).toBe(2)
  })

  it('keeps nothing that failed', async () => {
    const { seen } = setUp()
    await expect(seen.see('tasks', AMINA, () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await seen.see('tasks', AMINA, async () => 'seven')).toBe('seven')
  })
})
