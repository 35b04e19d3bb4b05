import { findWeighingOfAnimal, listUnsettledWeighings } from '#features/cattle/settlement/final-weighings.server.ts'
import { findByTag, findScaleAnimal, listDueWeighings, listRecentWeighIns, listWeighInsOfAnimal } from '#features/cattle/queries.server.ts'
import { readId } from '#lib/format/id.ts'
import { dhakaDate } from '#lib/format/time.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

/** Weigh-ins: find an animal by its tag, record its weight, settle its order. */
export const weighInsRoutes: AdminRoute[] = [
  {
    url: '/admin/weigh-ins',
    page: 'admin/weigh-ins/weigh-ins',
    permission: 'weighins.read',
    async load({ db, lang, now, query, staff }) {
      const tag = (query.tag ?? '').slice(0, 40)
      const id = readId(query.animal)
      // Customers and sums belong to orders; a weigher sees the number of an order alone.
      const readsOrders = staff.can('orders.read')
      const [found, chosen, unsettled, due, recent] = await Promise.all([
        findByTag(db, tag),
        id === null ? null : findScaleAnimal(db, id),
        readsOrders ? listUnsettledWeighings(db) : { rows: [], total: 0 },
        listDueWeighings(db, now),
        listRecentWeighIns(db),
      ])
      // A whole tag, scanned or typed, needs no choosing.
      const animal = chosen ?? (found.length === 1 ? (found[0] ?? null) : null)
      const [weighing, history] = animal
        ? await Promise.all([readsOrders ? findWeighingOfAnimal(db, animal.id) : null, listWeighInsOfAnimal(db, animal.id)])
        : [null, []]
      const dueRows = due.rows.map((row) => ({ ...row, customer: readsOrders ? row.customer : null }))
      const props = {
        tag,
        found,
        animal,
        weighing,
        history,
        unsettled,
        due: { ...due, rows: dueRows },
        recent,
        today: dhakaDate(now),
        weigher: staff.name,
      }
      return { props, head: adminHead(lang, { key: 'admin.nav.weighins' }) }
    },
  },
]
