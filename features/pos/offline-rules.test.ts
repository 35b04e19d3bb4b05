import { describe, expect, it } from 'vitest'
import { saleMoment } from './offline-rules.ts'

const at = (time: string) => new Date(`2026-11-20T${time}:00Z`)
const opened = at('03:00')
const now = at('10:00')

describe('the time of a sale', () => {
  it.each<[string, { soldAt: Date | null; sentAt: Date | null }, Date]>([
    ['by a right clock', { soldAt: at('08:00'), sentAt: at('10:00') }, at('08:00')],
    ['by a clock an hour fast', { soldAt: at('09:00'), sentAt: at('11:00') }, at('08:00')],
    ['by a clock an hour slow', { soldAt: at('07:00'), sentAt: at('09:00') }, at('08:00')],
    ['by a clock of another year', { soldAt: new Date(0), sentAt: new Date(7_200_000) }, at('08:00')],
    ['sent at once', { soldAt: at('10:00'), sentAt: new Date(at('10:00').getTime() + 900) }, now],
    ['before the shift: the clock was set while it waited', { soldAt: at('01:00'), sentAt: at('10:00') }, opened],
    ['years before it was sent: the clock was set while it waited', { soldAt: new Date(0), sentAt: at('10:00') }, now],
    ['as far from it as dates reach', { soldAt: new Date('0000-01-01'), sentAt: new Date(8.64e15) }, now],
    ['after it was sent', { soldAt: at('12:00'), sentAt: at('10:00') }, now],
    ['a device that says nothing', { soldAt: null, sentAt: null }, now],
    ['a device that says one half', { soldAt: at('08:00'), sentAt: null }, now],
    ['no time at all', { soldAt: new Date(Number.NaN), sentAt: at('10:00') }, now],
  ])('%s', (_name, device, moment) => {
    expect(saleMoment(device, opened, now)).toEqual(moment)
  })
})
