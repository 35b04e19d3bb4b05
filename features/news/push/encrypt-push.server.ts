import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  type ECDH,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'

const CURVE = 'prime256v1'
const RECORD_BYTES = 4096
const TAG_BYTES = 16
/** Ends the last record. */
const LAST_RECORD = 2
const TOKEN_HOURS = 12

/** The keys of a device: its public key (65 bytes, uncompressed) and its secret (16 bytes). */
export interface DeviceKeys {
  p256dh: Buffer
  auth: Buffer
}

/** The key pair by which push services know the shop (VAPID). The public key has 65 bytes. */
export interface ShopKeys {
  publicKey: Buffer
  privateKey: KeyObject
}

/** Whether the public key is a point of the curve and the secret has its length. Other keys cannot be encrypted for. */
export function areDeviceKeys({ p256dh, auth }: DeviceKeys): boolean {
  if (p256dh.length !== 65 || p256dh[0] !== 4 || auth.length !== 16) return false
  try {
    newKeys().computeSecret(p256dh)
    return true
  } catch {
    return false
  }
}

/** Encrypts a message for a device in one record (RFC 8291, RFC 8188). `own` and `salt` are given by the example of the RFC alone. */
export function encryptPush(text: string, { p256dh, auth }: DeviceKeys, own: ECDH = newKeys(), salt = randomBytes(16)): Buffer {
  const ownPublic = own.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, ownPublic])
  const input = hkdf(own.computeSecret(p256dh), auth, info, 32)
  const key = hkdf(input, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = hkdf(input, salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const plain = Buffer.concat([Buffer.from(text), Buffer.of(LAST_RECORD)])
  if (plain.length + TAG_BYTES > RECORD_BYTES) throw new Error('a push message is too long')
  const head = Buffer.alloc(5)
  head.writeUInt32BE(RECORD_BYTES)
  head[4] = ownPublic.length
  return Buffer.concat([salt, head, ownPublic, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** The header Authorization of a request to a push service (RFC 8292). `contact` is an https or mailto address of the shop. */
export function vapidHeader({ publicKey, privateKey }: ShopKeys, endpoint: string, contact: string, now: Date): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now.getTime() / 1000) + TOKEN_HOURS * 3600, sub: contact }
  const signed = [{ typ: 'JWT', alg: 'ES256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return `vapid t=${signed}.${signature}, k=${publicKey.toString('base64url')}`
}

/** A new key pair of the shop, the private key also as bytes (PKCS 8). */
export function newShopKeys(): ShopKeys & { secret: Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: CURVE })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = [Buffer.of(4), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]
  return { publicKey: Buffer.concat(point), privateKey, secret: privateKey.export({ type: 'pkcs8', format: 'der' }) }
}

/** The private key from its PKCS #8 form. */
export function readPrivateKey(secret: Buffer): KeyObject {
  return createPrivateKey({ key: secret, type: 'pkcs8', format: 'der' })
}

function newKeys(): ECDH {
  const keys = createECDH(CURVE)
  keys.generateKeys()
  return keys
}

function hkdf(input: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', input, salt, info, bytes))
}
