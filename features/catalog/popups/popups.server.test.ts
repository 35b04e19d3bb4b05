import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildImage, buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { PopupRecord } from './queries.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'manager' })).phone)
const image = await buildImage(db)
beforeEach(() => sql`truncate popups, audit_log cascade`.execute(db))

const body = {
  image_id: image.id,
  link: '/kurbani',
  alt_en: 'Book early',
  alt_bn: 'আগে বুক করুন',
  starts_at: '2020-01-01T10:00',
  ends_at: '',
  active: true,
}
const make = (more: object = {}) => clerk.post('/admin/popups/store', { ...body, ...more })
const created = async (more: object = {}) => ((await make(more)).body as unknown as { popup: PopupRecord }).popup
const listed = async (query = '') =>
  pageProps<{ page: KeysetPage<PopupRecord> }>((await clerk.get(`/admin/popups${query}`, { accept: 'text/html' })).text).page
const states = async () => (await listed()).rows.map(({ state }) => state)
const popupOf = async (who: { get: typeof shop.get }) =>
  pageProps<{ popup: { id: number; shown: string; link: string } | null }>((await who.get('/', { accept: 'text/html' })).text).popup

it('a popup is created with local times of Dhaka, and shown immediately', async () => {
  const popup = await created({ starts_at: '2020-01-01T10:00', ends_at: '2999-12-31T23:59' })
  expect(popup).toMatchObject({
    state: 'shown',
    starts_at: '2020-01-01T10:00',
    ends_at: '2999-12-31T23:59',
    version: 1,
    picture: { image_id: image.id },
  })
  const { rows } = await sql<{ starts_at: Date }>`select starts_at from popups`.execute(db)
  expect(rows[0]?.starts_at).toEqual(new Date('2020-01-01T04:00:00Z'))
  expect(await popupOf(shop.visitor())).toMatchObject({ id: popup.id, shown: 'false', link: '/kurbani' })
})

it('a cursor beyond all ids starts the list, or ends it', async () => {
  const { id } = await created()
  for (const key of ['2147483648', '9007199254740991']) {
    expect((await listed(`?after=${key}`)).rows.map((row) => row.id)).toEqual([id])
    expect((await listed(`?before=${key}`)).rows).toEqual([])
  }
})

it('C4: a browser shows each popup once', async () => {
  const first = await created()
  const shopper = shop.visitor()
  await shopper.post('/mark-popup-shown', { shown: true })
  expect(await popupOf(shopper)).toMatchObject({ shown: 'true' })
  await clerk.post(`/admin/popups/${first.id}`, { ...body, alt_en: 'Other words', version: 1 })
  expect(await popupOf(shopper)).toMatchObject({ id: first.id, shown: 'true' })
  const second = await created()
  expect(await popupOf(shopper)).toMatchObject({ id: second.id, shown: 'false' })
  expect(await states()).toEqual(['shown', 'behind'])
})

it('states: not yet, ended, off', async () => {
  await created({ starts_at: '2999-01-01T00:00' })
  await created({ ends_at: '2020-01-01T10:01' })
  await created({ active: false })
  expect(await states()).toEqual(['off', 'ended', 'not-yet'])
  expect(await popupOf(shop.visitor())).toBeNull()
})

it('every popup is on a page of the list', async () => {
  await sql`insert into popups (image_id, link, alt_en, alt_bn, starts_at, active)
    select ${image.id}, '', 'Week ' || n, 'সপ্তাহ', now(), false from generate_series(1, 251) n`.execute(db)
  const names: string[] = []
  for (let query: string | null = ''; query !== null;) {
    const { rows, next } = await listed(query)
    names.push(...rows.map(({ alt_en }) => alt_en))
    query = next && `?${new URLSearchParams(next)}`
  }
  expect(names).toEqual(Array.from({ length: 251 }, (_, at) => `Week ${251 - at}`))
})

it.each([
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,x',
  'http://a.example',
  '//a.example',
  '/\\a.example',
  '/\n/a.example',
  'vbscript:x',
])('a link to %j is rejected', async (link) => {
  expect(await make({ link })).toMatchObject({
    status: 422,
    body: { errors: { link: ['Use a shop page starting with /, or an address starting with https://'] } },
  })
})

it('reports errors at their fields', async () => {
  const wrong = {
    image_id: null,
    link: 'x'.repeat(501),
    alt_en: '',
    alt_bn: ' ',
    starts_at: '2026-02-30T10:00',
    ends_at: 'tomorrow',
    active: 'on',
  }
  expect((await clerk.post('/admin/popups/store', wrong)).body.errors).toMatchObject({
    image_id: ['Choose a picture.'],
    link: ['This text is too long.'],
    alt_en: ['This field is required.'],
    alt_bn: ['This field is required.'],
    starts_at: ['Enter a date and time.'],
    ends_at: ['Enter a date and time.'],
    active: ['Choose an option.'],
  })
  expect((await make({ link: 'x' })).body.errors).toEqual({
    link: ['Use a shop page starting with /, or an address starting with https://'],
  })
  expect((await make({ ends_at: '2019-01-01T10:00' })).body.errors).toEqual({ ends_at: ['The end must be after the start.'] })
  expect((await make({ image_id: 99_999 })).body.errors).toEqual({ image_id: ['Choose a picture.'] })
  expect((await make({ id: 1 })).status).toBe(422)
  expect((await make({ starts_at: '' })).body.errors).toEqual({ starts_at: ['This field is required.'] })
  expect((await sql`select 1 from popups`.execute(db)).rows).toEqual([])
})

it('of two concurrent changes the second is a conflict; of two deletions the second finds nothing', async () => {
  const { id } = await created()
  const change = (alt_en: string) => clerk.post(`/admin/popups/${id}`, { ...body, alt_en, version: 1 })
  expect((await Promise.all([change('One'), change('Two')])).map(({ status }) => status).sort()).toEqual([200, 409])
  const headers = { accept: 'application/json', 'x-csrf-token': await clerk.token() }
  const gone = await Promise.all([1, 2].map(() => clerk.send('DELETE', `/admin/popups/${id}`, undefined, { headers })))
  expect(gone.map(({ status }) => status).sort()).toEqual([200, 404])
  expect((await clerk.get(`/admin/popups/${id}`, { accept: 'text/html' })).status).toBe(404)
  const { rows } = await sql<{ action: string }>`select action from audit_log order by id`.execute(db)
  expect(rows.map(({ action }) => action)).toEqual(['created', 'changed', 'deleted'])
})

it('a picture that is deleted at that moment is an error at its field', async () => {
  const unused = await buildImage(db)
  const sending = await db.transaction().execute(async (tx) => {
    await sql`delete from images where id = ${unused.id}`.execute(tx)
    const answer = make({ image_id: unused.id })
    await untilLockWait(db)
    return { answer }
  })
  expect((await sending.answer).body.errors).toEqual({ image_id: ['Choose a picture.'] })
})
