import { allBookings, type BookingFilter, listBookings } from '#features/kurbani/booking-queries.server.ts'
import { findPlace, placeText } from '#features/kurbani/districts-rules.ts'
import { DISTRICTS } from '#features/kurbani/districts.server.ts'
import { BOOKING_RANGES, BOOKING_STATES, rangeText } from '#features/kurbani/rules.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import { phoneRange } from '#lib/format/phone.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'
import { csvInstant, exportList } from '../list-export.server.ts'

export const bookingsRoutes: AdminRoute[] = [
  {
    url: '/admin/bookings',
    page: 'admin/bookings/bookings',
    permission: 'bookings.read',
    readsReplica: true,
    screen: 'bookings',
    async load({ db, lang, query }) {
      const page = await listBookings(db, bookingFilter(query), parseCursor(query, 1))
      const districts = DISTRICTS.map((district): [string, string] => [district.en, district[lang]])
      const places = Object.fromEntries(page.rows.map((row) => [row.id, placeText(DISTRICTS, row, lang)]))
      return { props: { page, query, districts, places }, head: adminHead(lang, { key: 'admin.nav.bookings' }) }
    },
  },
  {
    url: '/admin/bookings/export',
    page: 'admin/bookings/bookings',
    permission: 'bookings.read',
    load: exportBookings,
  },
]

/** The bookings of the list as a file. */
function exportBookings(context: AdminContext) {
  const { db, lang, query } = context
  const t = translate(lang)
  const columns = ['when', 'name', 'phone', 'email', 'district', 'thana', 'price', 'weight', 'state', 'note', 'orders'] as const
  return exportList(context, {
    subject: 'booking',
    name: 'bookings',
    head: columns.map((name) => t(`bookings.${name}`)),
    pages: allBookings(db, bookingFilter(query)),
    line: (row) => {
      const district = DISTRICTS.find(({ en }) => en === row.district)
      return [
        csvInstant(row.created_at),
        row.name,
        row.phone,
        row.email,
        district?.[lang] ?? row.district,
        district?.thanas.find(({ en }) => en === row.thana)?.[lang] ?? row.thana,
        rangeText(row.price_range, lang),
        row.weight,
        t(`bookings.state.${row.state}`),
        row.note,
        row.orders.map(({ id }) => id).join(' '),
      ]
    },
  })
}

/** The filters of the address; a value that is none filters nothing, and a phone may be only begun. */
function bookingFilter(query: Record<string, string>): BookingFilter {
  return {
    state: BOOKING_STATES.find((one) => one === query.state),
    district: findPlace(DISTRICTS, query.district ?? '')?.en,
    price: BOOKING_RANGES.find((one) => one === query.price),
    phones: phoneRange(query.q ?? '') ?? undefined,
  }
}
