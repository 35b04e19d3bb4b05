import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { startBucketServer } from '#test/bucket-server.ts'
import { openBucket } from './bucket.server.ts'
import { UploadCache } from './upload-cache.server.ts'

const server = await startBucketServer()
const folder = mkdtempSync(path.join(tmpdir(), 'khamar-cache-'))
const bucket = openBucket(server.settings, { bucket: 'shop', prefix: '' })
for (const name of ['a', 'b', 'c', 'd']) await bucket.put(name, Buffer.alloc(400))
const options = { maxBytes: 1000, deleteAfterMs: 0 }
const cache = new UploadCache(bucket, folder, options)
afterAll(async () => {
  bucket.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const files = () => readdirSync(folder).toSorted().join('')

it('holds the limit: the least recently used file is deleted first', async () => {
  await cache.find('a')
  await cache.find('b')
  await cache.find('a')
  await cache.find('c')
  await expect.poll(files).toBe('ac')
  await cache.find('b')
  await expect.poll(files).toBe('bc')
})

it('loads a file again that a power cut has left empty', async () => {
  writeFileSync(path.join(folder, 'b'), '')
  const next = new UploadCache(bucket, folder, options)
  const file = await next.find('b')
  expect(readFileSync(file!)).toHaveLength(400)
})

it('knows the other files when one vanishes while the folder is read', async () => {
  // As a file that another process deletes after its name was read.
  symlinkSync(path.join(folder, 'nowhere'), path.join(folder, 'vanished'))
  const next = new UploadCache(bucket, folder, options)
  rmSync(path.join(folder, 'vanished'))
  server.requests.length = 0
  await next.find('b')
  expect(server.requests).toEqual([])
})

it('knows the files of an earlier process, and loads again what another one has deleted', async () => {
  const next = new UploadCache(bucket, folder, options)
  server.requests.length = 0
  await next.find('c')
  expect(server.requests).toEqual([])
  rmSync(path.join(folder, 'c'))
  expect(existsSync((await next.find('c'))!)).toBe(true)
  await next.find('d')
  await expect.poll(files).toBe('cd')
})

it('a file that was deleted from the bucket is gone once its copy is old; without an answer of the bucket it stays', async () => {
  const old = () => new UploadCache(bucket, folder, { ...options, maxAgeMs: -1 })
  await bucket.put('e', Buffer.alloc(10))
  const copy = (await old().find('e'))!
  await bucket.delete('e')
  server.misbehave('refuses')
  server.requests.length = 0
  expect(await old().find('e')).toBe(copy)
  await expect.poll(() => server.requests.length).toBe(1)
  server.misbehave(null)
  expect(existsSync(copy)).toBe(true)
  const next = old()
  expect(await next.find('e')).toBe(copy)
  await expect.poll(() => existsSync(copy)).toBe(false)
  expect(await next.find('e')).toBeNull()
})

it('a bucket that was away is asked again seconds later, also by a clock that was set back meanwhile', async () => {
  const own = mkdtempSync(path.join(tmpdir(), 'khamar-cache-'))
  const next = new UploadCache(bucket, own, options)
  server.misbehave('refuses', 1)
  await expect(next.find('a')).rejects.toMatchObject({ reason: 'refused' })
  // By less than the difference from which the client of the bucket corrects its signatures.
  vi.useFakeTimers({ now: Date.now() - 4 * 60_000, toFake: ['Date'] })
  try {
    const find = () => next.find('a').catch(() => 'away')
    await expect.poll(find).toBe(path.join(own, 'a'))
  } finally {
    vi.useRealTimers()
    rmSync(own, { recursive: true, force: true })
  }
})

it('an answer that is cut leaves no file', async () => {
  server.misbehave('halves')
  await expect(cache.find('a')).rejects.toMatchObject({ reason: 'away' })
  expect(files()).toBe('cd')
})
