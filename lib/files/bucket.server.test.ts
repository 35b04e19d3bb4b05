import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startBucketServer, type Misbehaviour } from '#test/bucket-server.ts'
import { openBucket, parseBucketUrl } from './bucket.server.ts'

const MIB = 1024 * 1024
const server = await startBucketServer()
const place = { bucket: 'shop', prefix: 'khamar/' }
const bucket = openBucket(server.settings, place)
/** Of a server that does not answer. A busy machine needs the usual timeouts for what succeeds. */
const timeouts = { connectMs: 500, answerMs: 400, idleMs: 400 }
const waitsBriefly = openBucket(server.settings, place, timeouts)
afterEach(() => server.misbehave(null))
afterAll(async () => {
  bucket.close()
  waitsBriefly.close()
  await server.stop()
})

/** A stream of 1 MiB chunks, each of its own byte. */
async function* chunks(count: number, failAt = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  for (let i = 0; i < count; i += 1) {
    if (i === failAt) throw new Error('the source failed')
    yield Buffer.alloc(MIB, i)
  }
}

async function keys(prefix?: string, from = bucket): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of from.list(prefix)) found.push(key)
  return found
}

describe('a bucket', () => {
  it('stores, finds, lists, reads and deletes objects under its prefix', async () => {
    await bucket.put('a/one.txt', Buffer.from('one'), { contentType: 'text/plain' })
    await bucket.put('a/two.txt', Readable.from(['tw', 'o']))
    await bucket.put('b.txt', Buffer.alloc(0))
    expect(await keys()).toEqual(['a/one.txt', 'a/two.txt', 'b.txt'])
    expect(await keys('a/')).toEqual(['a/one.txt', 'a/two.txt'])
    expect(await bucket.find('a/two.txt')).toMatchObject({ key: 'a/two.txt', bytes: 3, modifiedAt: expect.any(Date) })
    const object = await bucket.get('a/one.txt')
    expect(object).toMatchObject({ bytes: 3, contentType: 'text/plain', etag: expect.stringMatching(/^".+"$/) })
    expect(await text(object!.body)).toBe('one')
    expect(server.requests.every((line) => line.split(' ')[1]!.startsWith('/shop'))).toBe(true)
    for (const key of ['a/one.txt', 'a/two.txt', 'b.txt', 'b.txt']) await bucket.delete(key)
    expect([await keys(), await bucket.find('b.txt'), await bucket.get('b.txt')]).toEqual([[], null, null])
  })

  it('reads a range', async () => {
    await bucket.put('range', Buffer.from('0123456789'))
    const part = await bucket.get('range', { start: 2, end: 4 })
    expect([part!.bytes, await text(part!.body)]).toEqual([3, '234'])
  })

  it('stores a stream of many parts unchanged', async () => {
    await bucket.put('big', Readable.from(chunks(20)))
    const object = await bucket.get('big')
    const bytes = await buffer(object!.body)
    expect([bytes.length, ...[0, 7, 8, 19].map((i) => bytes[i * MIB + 5])]).toEqual([20 * MIB, 0, 7, 8, 19])
    await bucket.delete('big')
  })

  it('stores a large buffer in parts', async () => {
    await bucket.put('large', Buffer.alloc(9 * MIB, 1))
    expect(await bucket.find('large')).toMatchObject({ bytes: 9 * MIB })
    await bucket.delete('large')
  })

  it.each([2, 18])('stores nothing when the source fails after %i MiB, and throws its error', async (failAt) => {
    await expect(bucket.put('half', Readable.from(chunks(20, failAt)))).rejects.toThrow('the source failed')
    expect(await bucket.find('half')).toBe(null)
  })

  it('stores nothing after an abort, and ends the source', async () => {
    const controller = new AbortController()
    const source = Readable.from(
      (async function* () {
        yield* chunks(9)
        controller.abort()
        await wait(50)
        yield* chunks(9)
      })(),
    )
    await expect(bucket.put('left', source, { signal: controller.signal })).rejects.toMatchObject({ reason: 'aborted' })
    expect([source.destroyed, await bucket.find('left')]).toEqual([true, null])
  })
})

describe('errors', () => {
  it.each<[Misbehaviour, string]>([
    ['drops', 'away'],
    ['silent', 'away'],
    ['error-500', 'away'],
    ['refuses', 'refused'],
  ])('a server that %s is %s to every call', async (how, reason) => {
    server.misbehave(how)
    const calls = [
      waitsBriefly.put('x', Buffer.from('x')),
      waitsBriefly.put('x', Readable.from(chunks(10))),
      waitsBriefly.get('x'),
      waitsBriefly.find('x'),
      keys('', waitsBriefly),
      waitsBriefly.delete('x'),
    ]
    for (const call of await Promise.allSettled(calls))
      expect(call).toMatchObject({ status: 'rejected', reason: { name: 'BucketError', reason } })
  })

  it('one failure is retried', async () => {
    // The SDK stops its retries for a while when many failed: a client of its own.
    const fresh = openBucket(server.settings, { bucket: 'shop', prefix: '' })
    server.misbehave('drops', 1)
    await fresh.put('retried', Buffer.from('x'))
    server.misbehave('error-500', 1)
    expect(await fresh.find('retried')).toMatchObject({ key: 'retried' })
    fresh.close()
  })

  it.each<Misbehaviour>(['halves', 'stalls'])('an answer that the server %s fails while it is read', async (how) => {
    await bucket.put('cut', Buffer.alloc(3 * MIB))
    server.misbehave(how)
    const object = await waitsBriefly.get('cut')
    await expect(buffer(object!.body)).rejects.toMatchObject({ name: 'BucketError', reason: 'away' })
  })

  it('an answer that is no list is an error, not an empty bucket', async () => {
    server.misbehave('nonsense')
    await expect(keys()).rejects.toMatchObject({ name: 'BucketError' })
  })

  it('a list without its end is an error, not a short list', async () => {
    server.misbehave('cuts-list')
    await expect(keys()).rejects.toThrow('The bucket shop lists a part of its objects only')
  })

  it.each<[Misbehaviour, string]>([
    ['redirects', 'The bucket shop is in another region than S3_REGION.'],
    ['refuses-time', 'The bucket shop refuses the time of this machine: set its clock.'],
  ])('a server that %s is explained', async (how, message) => {
    server.misbehave(how)
    const fresh = openBucket(server.settings, place)
    for (const call of await Promise.allSettled([fresh.put('x', Buffer.from('x')), fresh.get('x'), fresh.delete('x')]))
      expect(call).toMatchObject({ status: 'rejected', reason: { message } })
    fresh.close()
  })

  it('a missing bucket is named', async () => {
    const missing = openBucket(server.settings, { bucket: 'other', prefix: '' })
    await expect(missing.put('x', Buffer.from('x'))).rejects.toThrow('The bucket other does not exist: check its name and S3_ENDPOINT.')
    await expect(missing.get('x')).rejects.toMatchObject({ reason: 'no-bucket' })
    missing.close()
  })

  it('a closed port is away, without keys or URLs in the message', async () => {
    const away = openBucket({ ...server.settings, endpoint: 'http://127.0.0.1:1' }, { bucket: 'shop', prefix: '' }, timeouts)
    await expect(away.get('x')).rejects.toThrow(/^The bucket shop does not answer \(ECONNREFUSED\): check the network and S3_ENDPOINT\.$/)
    away.close()
  })
})

it.each<[string, ReturnType<typeof parseBucketUrl>]>([
  ['s3://shop', { bucket: 'shop', prefix: '' }],
  ['s3://shop/', { bucket: 'shop', prefix: '' }],
  ['s3://my.shop-1/a/b/', { bucket: 'my.shop-1', prefix: 'a/b/' }],
  ['s3://shop/a/../b', null],
  ['s3://Shop', null],
  ['s3://', null],
  ['https://shop', null],
  ['/var/uploads', null],
])('the bucket URL %s is %j', (url, parsed) => {
  expect(parseBucketUrl(url)).toEqual(parsed)
})
