import { describe, expect, it } from 'vitest'
import { can, STAFF_ROLES } from '#features/auth/permissions.ts'
import { allSeen, MAX_NEWS_IDS, newsHref, newsKindsFor, oneSeen, openedNews, unseenIds } from './rules.ts'

/** Newest first, as they are read. */
const idsFrom = (low: number, high: number) => Array.from({ length: high - low + 1 }, (_, index) => high - index).slice(0, MAX_NEWS_IDS)

describe('unseenIds', () => {
  it.each([
    ['nothing was there', allSeen([]), [1], [1]],
    ['nothing came', allSeen([3, 2, 1]), [3, 2, 1], []],
    ['two came', allSeen([3, 2, 1]), [5, 4, 3, 2, 1], [5, 4]],
    ['one below came late', allSeen([3, 1]), [3, 2, 1], [2]],
    ['handled rows left the list', allSeen([3, 2, 1]), [2], []],
    ['a full list got shorter and shows an older row', allSeen(idsFrom(11, 60)), [...idsFrom(12, 60), 10], []],
    ['more came than a list holds', allSeen(idsFrom(1, 50)), idsFrom(1, 200), idsFrom(151, 200)],
    ['one of three was opened', oneSeen(3, [3, 2, 1], { ids: [1], floor: 0 }), [3, 2, 1], [2]],
  ])('when %s', (_case, seen, ids, unseen) => expect(unseenIds(ids, seen)).toEqual(unseen))
})

describe('oneSeen', () => {
  it('drops ids that left the list, and stores an opened order once', () => {
    expect(oneSeen(4, [4, 3], { ids: [4, 3, 1], floor: 0 })).toEqual({ ids: [3, 4], floor: 0 })
  })
})

describe('openedNews', () => {
  it.each([
    ['/admin/orders', { kind: 'orders' }],
    [newsHref('orders', [12]), { kind: 'orders', id: 12 }],
    [newsHref('orders', [12, 13]), { kind: 'orders' }],
    [newsHref('advances', [12]), { kind: 'advances' }],
    ['/admin/orders/create', null],
    ['/admin/orders/update/x', null],
    ['/admin/area-requests', { kind: 'area-requests' }],
    ['/admin', null],
    ['/admin/bookings/x', null],
  ])('%s', (path, opened) => expect(openedNews(path)).toEqual(opened))
})

it('tells each role what it may open', () => {
  const all = ['orders', 'advances', 'bookings', 'sms', 'reviews', 'area-requests']
  const expected = {
    owner: all,
    manager: all,
    sales: all.filter((kind) => kind !== 'reviews'),
    viewer: all.filter((kind) => kind !== 'reviews'),
    cashier: [],
    weigher: [],
  }
  for (const role of STAFF_ROLES) expect([role, newsKindsFor((permission) => can(role, permission))]).toEqual([role, expected[role]])
})
