import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { areDeviceKeys, encryptPush, newShopKeys, readPrivateKey, vapidHeader } from './encrypt-push.server.ts'
import { decryptPush } from './testing/start-push-service.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')
/** The example of RFC 8291, section 5 and appendix A. */
const EXAMPLE = {
  text: 'When I grow up, I want to be a watermelon',
  p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
  devicePrivate: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
  auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  ownPrivate: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

describe('encryptPush', () => {
  it('writes the message of the RFC', () => {
    const own = createECDH('prime256v1')
    own.setPrivateKey(EXAMPLE.ownPrivate)
    expect(encryptPush(EXAMPLE.text, EXAMPLE, own, EXAMPLE.salt).toString('base64url')).toBe(EXAMPLE.message)
    expect(decryptPush(bytes(EXAMPLE.message), { private: EXAMPLE.devicePrivate, public: EXAMPLE.p256dh, auth: EXAMPLE.auth })).toBe(
      EXAMPLE.text,
    )
  })

  it('uses a new key and salt for each message, and refuses what is too long for one record', () => {
    const [one, two] = [encryptPush('নতুন অর্ডার', EXAMPLE), encryptPush('নতুন অর্ডার', EXAMPLE)]
    expect(one.subarray(0, 86).equals(two.subarray(0, 86))).toBe(false)
    const device = { private: EXAMPLE.devicePrivate, public: EXAMPLE.p256dh, auth: EXAMPLE.auth }
    expect([one, two].map((message) => decryptPush(message, device))).toEqual(['নতুন অর্ডার', 'নতুন অর্ডার'])
    expect(() => encryptPush('x'.repeat(4096), EXAMPLE)).toThrow('too long')
  })
})

it.each([
  ['those of a browser', EXAMPLE.p256dh, EXAMPLE.auth, true],
  ['a short secret', EXAMPLE.p256dh, EXAMPLE.auth.subarray(1), false],
  ['no point of the curve', Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]), EXAMPLE.auth, false],
  ['a compressed point', Buffer.concat([Buffer.of(2), EXAMPLE.p256dh.subarray(1, 33)]), EXAMPLE.auth, false],
  ['nothing', Buffer.alloc(0), Buffer.alloc(0), false],
  ['random bytes', randomBytes(65), randomBytes(16), false],
])('areDeviceKeys of %s', (_case, p256dh, auth, isValid) => expect(areDeviceKeys({ p256dh, auth })).toBe(isValid))

it('signs a token for the origin of the push service alone', () => {
  const { publicKey, secret } = newShopKeys()
  const keys = { publicKey, privateKey: readPrivateKey(secret) }
  const now = new Date('2026-11-25T00:00:00Z')
  const header = vapidHeader(keys, 'https://fcm.googleapis.com/fcm/send/abc', 'https://shop.example', now)
  const [, token, key] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? []
  const [head, claims, signature] = token!.split('.') as [string, string, string]
  expect(JSON.parse(bytes(claims).toString())).toEqual({
    aud: 'https://fcm.googleapis.com',
    exp: now.getTime() / 1000 + 12 * 3600,
    sub: 'https://shop.example',
  })
  expect([publicKey.length, key]).toEqual([65, publicKey.toString('base64url')])
  const verifier = { key: createPublicKey(keys.privateKey), dsaEncoding: 'ieee-p1363' } as const
  expect(verify('sha256', Buffer.from(`${head}.${claims}`), verifier, bytes(signature))).toBe(true)
})
