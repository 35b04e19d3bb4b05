import { describe, expect, it } from 'vitest'
import { addDays } from '#lib/format/time.ts'
import { EID_DAYS, nextEid, proposedSeason, seasonDays } from './season-rules.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

/** 10 Dhul Hijjah of the Umm al-Qura calendar in a year, by ICU. */
function saudiEids(year: number): string[] {
  const hijri = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura', { day: 'numeric', month: 'numeric', timeZone: 'UTC' })
  return Array.from({ length: 366 }, (_, day) => addDays(`${year}-01-01`, day)).filter((day) => {
    const parts = Object.fromEntries(hijri.formatToParts(new Date(`${day}T00:00:00Z`)).map(({ type, value }) => [type, value]))
    return parts.month === '12' && parts.day === '10' && day.startsWith(String(year))
  })
}

describe('the expected days of Eid-ul-Adha', () => {
  it('are a lunar year apart: 354 or 355 days, so each is 10 to 12 days earlier', () => {
    for (const [i, eid] of EID_DAYS.slice(1).entries()) expect([354, 355], eid).toContain(daysBetween(EID_DAYS[i]!, eid))
  })

  it('are a day after the Umm al-Qura calendar', () => {
    const years = Array.from({ length: 16 }, (_, i) => 2025 + i)
    expect(years.flatMap(saudiEids).map((day) => addDays(day, 1))).toEqual([...EID_DAYS])
  })

  it.each([
    ['2025-06-07', 6],
    ['2026-05-28', 4],
    ['2027-05-17', 1],
    ['2040-12-16', 0],
  ])('%s is weekday %i', (eid, weekday) => {
    expect(EID_DAYS).toContain(eid)
    expect(new Date(`${eid}T00:00:00Z`).getUTCDay()).toBe(weekday)
  })

  it.each([
    ['2026-11-25', '2027-05-17'],
    ['2027-05-16', '2027-05-17'],
    ['2027-05-17', '2028-05-06'],
    ['2039-01-06', '2039-12-27'],
    ['2040-12-16', null],
  ])('the next one after %s is %s', (day, eid) => {
    expect(nextEid(day)).toBe(eid)
  })
})

describe('the days of a season', () => {
  it('of Eid 2025 are the default settings', () => {
    const { season: _, ...days } = DEFAULT_SETTINGS.kurbani
    expect(seasonDays('2025-06-07')).toEqual(days)
  })

  it('are proposed for the next Eid while the settings hold another season', () => {
    expect(proposedSeason('2026-11-25', '2025-06-06')).toEqual({ eid: '2027-05-17', days: seasonDays('2027-05-17') })
    expect(proposedSeason('2027-05-17', '2027-05-16')?.eid).toBe('2028-05-06')
    expect(proposedSeason('2040-12-17', '2040-12-15')).toBeNull()
  })

  it.each(['2027-05-16', '2027-05-12', '2027-04-20', '2027-05-19'])('are not proposed when delivery ends on %s', (deliveryTo) => {
    expect(proposedSeason('2026-11-25', deliveryTo)).toBeNull()
  })
})
