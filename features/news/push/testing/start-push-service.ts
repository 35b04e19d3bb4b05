import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'

/** What the next request is answered with, instead of 201. Slow: 201 after a second. */
export type PushFault = { status: number; headers?: Record<string, string> } | 'silence' | 'slow'

export interface ReceivedPush {
  device: string
  payload: Record<string, unknown>
  /** The public key of the shop, as base64url. */
  key: string
  ttl: number
  urgency: unknown
}

/**
 * A simulator of a push service and its browsers. It decrypts every message as a browser does (RFC 8291), and checks the token of the shop
 * (RFC 8292). A request that is not in order is noted and answered with 400 or 403.
 */
export async function startPushService() {
  const app = Fastify({ forceCloseConnections: true })
  const devices = new Map<string, { private: Buffer; public: Buffer; auth: Buffer }>()
  const received: ReceivedPush[] = []
  const faults: PushFault[] = []
  const complaints: string[] = []
  /** Requests of all kinds, also of those that are answered with a fault. */
  const asked: string[] = []
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const origin = await new Promise<string>((resolve, reject) => {
    app.post<{ Params: { device: string }; Body: Buffer }>('/push/:device', async (request, reply) => {
      const { device } = request.params
      asked.push(device)
      const fault = faults.shift()
      if (fault === 'silence') return new Promise(() => {})
      if (fault === 'slow') await sleep(1000)
      else if (fault)
        return reply
          .code(fault.status)
          .headers(fault.headers ?? {})
          .send('no')
      return accept(request, reply)
    })
    app.listen({ port: 0, host: '127.0.0.1' }).then(resolve, reject)
  })

  function accept(request: FastifyRequest<{ Params: { device: string }; Body: Buffer }>, reply: FastifyReply) {
    const keys = devices.get(request.params.device)
    if (!keys) return reply.code(410).send()
    try {
      const key = checkToken(request.headers.authorization, origin)
      if (request.headers['content-encoding'] !== 'aes128gcm') throw new Error('encoding')
      const payload = JSON.parse(decryptPush(request.body, keys)) as Record<string, unknown>
      received.push({
        device: request.params.device,
        payload,
        key,
        ttl: Number(request.headers.ttl),
        urgency: request.headers.urgency,
      })
      return reply.code(201).header('location', `${origin}/message/1`).send()
    } catch (error) {
      complaints.push(String(error))
      return reply.code(403).send()
    }
  }

  return {
    origin,
    received,
    faults,
    complaints,
    asked,
    /** A new browser: its subscription as the shop gets it. */
    subscribe(name = randomBytes(6).toString('hex')) {
      const ecdh = createECDH('prime256v1')
      const keys = { public: ecdh.generateKeys(), private: ecdh.getPrivateKey(), auth: randomBytes(16) }
      devices.set(name, keys)
      const { p256dh, auth } = { p256dh: keys.public.toString('base64url'), auth: keys.auth.toString('base64url') }
      return { endpoint: `${origin}/push/${name}`, keys: { p256dh, auth } }
    },
    close: () => app.close(),
  }
}

/** Checks signature, audience and expiry. Answers the key that it was signed with. */
function checkToken(header: string | undefined, origin: string): string {
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header ?? '') ?? []
  const [head, claims, signature] = token?.split('.') ?? []
  if (!head || !claims || !signature || !key) throw new Error(`authorization: ${header}`)
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const point = Buffer.from(key, 'base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  if (!verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
    throw new Error('signature')
  if (read(head).alg !== 'ES256') throw new Error('algorithm')
  const { aud, exp, sub } = read(claims)
  const seconds = Number(exp) - Date.now() / 1000
  if (aud !== origin) throw new Error(`audience: ${String(aud)}`)
  if (!(seconds > 0 && seconds <= 86_400)) throw new Error(`expiry: ${String(exp)}`)
  if (typeof sub !== 'string' || !/^(https?:|mailto:)/.test(sub)) throw new Error(`subject: ${String(sub)}`)
  return key
}

/** Decrypts a message of one record as a browser does: RFC 8291 section 3, RFC 8188 section 2. */
export function decryptPush(body: Buffer, device: { private: Buffer; public: Buffer; auth: Buffer }): string {
  const salt = body.subarray(0, 16)
  const recordBytes = body.readUInt32BE(16)
  const sender = body.subarray(21, 21 + body[20]!)
  const record = body.subarray(21 + body[20]!)
  if (record.length > recordBytes) throw new Error('more than one record')
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(device.private)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), device.public, sender])
  const input = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), device.auth, info, 32))
  const key = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: nonce\0', 12))
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = plain.findLastIndex((byte) => byte !== 0)
  if (plain[end] !== 2) throw new Error('padding')
  return plain.subarray(0, end).toString()
}
