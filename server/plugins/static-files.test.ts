import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { openUploads } from '#lib/files/uploads.server.ts'
import { registerStaticFiles } from './static-files.ts'

const home = mkdtempSync(path.join(tmpdir(), 'khamar-static-'))
const publicDir = path.join(home, 'public')
const folder = path.join(home, 'uploads')
const put = (name: string, text: string) => (
  mkdirSync(path.dirname(path.join(home, name)), { recursive: true }),
  writeFileSync(path.join(home, name), text)
)
put('public/assets/page-1.js', 'script')
put('public/assets/page-1.js.br', 'short')
put('public/robots.txt', 'robots')
put('secret.txt', 'beside the folders')
put('uploads/a-320.webp', 'picture')
put('uploads/film.mp4', '0123456789')
put('uploads/film.mp4.part', 'half a film')
put('uploads/.hidden', 'hidden')
put('uploads/folder/b.webp', 'nested')
const place = { folder, bucket: null }
const routes: string[] = []
const app = Fastify()
app.addHook('onRoute', ({ url }) => void routes.push(url))
await registerStaticFiles(app, { publicDir, uploads: openUploads(place), place, uploadsPublicUrl: null })
await app.ready()
afterAll(async () => {
  await app.close()
  rmSync(home, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => app.inject({ method, url, headers })

// A route of @fastify/static for a whole folder reads the folder's list for each of its files.
it('no route stands for a folder', () => {
  expect(routes.filter((url) => url.includes('*'))).toEqual([])
  expect(routes).toEqual(expect.arrayContaining(['/assets/:name', '/uploads/:name', '/robots.txt']))
})

it('an asset is sent compressed to those who read it, and cached for a year', async () => {
  const short = await get('/assets/page-1.js', { 'accept-encoding': 'br, gzip' })
  const whole = await get('/assets/page-1.js')
  const { headers } = short
  expect([short.body, whole.body]).toEqual(['short', 'script'])
  expect([headers['content-encoding'], headers['content-type'], headers.vary]).toEqual([
    'br',
    expect.stringContaining('javascript'),
    'accept-encoding',
  ])
  expect([headers, whole.headers].map((each) => each['cache-control'])).toEqual(Array(2).fill('public, max-age=31536000, immutable'))
})

it('a picture has a tag, a length and no body when it is known', async () => {
  const { statusCode, body, headers } = await get('/uploads/a-320.webp', { 'accept-encoding': 'br, gzip' })
  expect([statusCode, body, headers['content-type'], headers.vary]).toEqual([200, 'picture', 'image/webp', undefined])
  expect((await get('/uploads/a-320.webp', { 'if-none-match': String(headers.etag) })).statusCode).toBe(304)
  const head = await get('/uploads/a-320.webp', {}, 'HEAD')
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '7'])
})

it('a video is sent in ranges', async () => {
  const part = await get('/uploads/film.mp4', { range: 'bytes=2-4' })
  expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10'])
  expect((await get('/uploads/film.mp4', { range: 'bytes=10-' })).statusCode).toBe(416)
})

it.each([
  ['a file in progress', '/uploads/film.mp4.part'],
  ['a hidden file', '/uploads/.hidden'],
  ['a file in a folder', '/uploads/folder/b.webp'],
  ['a folder', '/uploads/folder'],
  ['no name', '/uploads/'],
  ['a file above', '/uploads/../secret.txt'],
  ['a file above, encoded', '/uploads/..%2fsecret.txt'],
  ['a file above, encoded twice', '/uploads/%252e%252e%252fsecret.txt'],
  ['a zero byte', '/uploads/a-320.webp%00'],
  ['a missing file', '/uploads/none.webp'],
  ['a missing asset', '/assets/none.js'],
])('%s is missing', async (_what, url) => {
  expect((await get(url)).statusCode).toBe(404)
})
