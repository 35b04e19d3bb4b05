import { useEffect, useState } from 'react'
import { listDate } from '#features/orders/list-date.ts'
import { daysBetween, dhakaDate } from '#lib/format/time.ts'

const TICK_MS = 10_000

export interface ListDay {
  /** The earliest delivery date of an order placed now. */
  on: string
  /** Today's cut-off has passed. */
  isLate: boolean
}

interface ShopClock {
  /** The server's clock when the page was rendered. */
  now: string
  cutoffHour: number
}

/** The delivery date by the server's clock, continued with the browser's; a wrong clock in a phone does no harm. Changes only with the date. */
export function useListDay({ now, cutoffHour }: ShopClock): ListDay {
  const [day, setDay] = useState(() => listDayAt(new Date(now), cutoffHour))
  useEffect(() => {
    const ahead = Date.parse(now) - Date.now()
    const timer = setInterval(() => {
      const next = listDayAt(new Date(Date.now() + ahead), cutoffHour)
      setDay((before) => (before.on === next.on && before.isLate === next.isLate ? before : next))
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [now, cutoffHour])
  return day
}

function listDayAt(now: Date, cutoffHour: number): ListDay {
  const on = listDate(now, cutoffHour)
  return { on, isLate: daysBetween(dhakaDate(now), on) > 1 }
}
