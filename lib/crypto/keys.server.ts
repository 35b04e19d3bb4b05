import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const IV_BYTES = 12
const TAG_BYTES = 16

/** Derived keys by secret and use. Each order needs two, and deriving them costs more than using them. */
const keys = new LRUCache<string, KeyObject, { secret: string; use: string }>({
  max: 100,
  memoMethod: (_id, _stale, { context: { secret, use } }) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'khamar', use, 32))),
})

/** A 32-byte key for one use, derived from the session secret (HKDF). Every process derives the same. */
function keyFor(secret: string, use: string): KeyObject {
  return keys.memo(`${use}\n${secret}`, { context: { secret, use } })
}

/** The HMAC-SHA-256 of a text under the session secret. A stolen database alone cannot be searched for short codes. */
export function hmac(secret: string, use: string, text: string): Buffer {
  return createHmac('sha256', keyFor(secret, use)).update(text).digest()
}

/** Encrypts bytes with a key that is not in the database (AES-256-GCM). */
export function encrypt(secret: string, use: string, bytes: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyFor(secret, use), iv)
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** The decrypted bytes; null when they were encrypted under another secret or changed. */
export function decrypt(secret: string, use: string, encrypted: Buffer): Buffer | null {
  const tag = encrypted.subarray(-TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', keyFor(secret, use), encrypted.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  try {
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}
