import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16

/** A key for one use alone, derived from the shop's secret: 32 bytes, the same in every process. */
function keyFor(secret: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'khamar', use, 32))
}

/** The mark of a text under the shop's secret, 32 bytes: whoever has the database alone cannot try out short codes against it. */
export function mark(secret: string, use: string, text: string): Buffer {
  return createHmac('sha256', keyFor(secret, use)).update(text).digest()
}

/** Encrypts bytes with a key that is not in the database (AES-256-GCM). */
export function encrypt(secret: string, use: string, bytes: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyFor(secret, use), iv)
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** What was sealed; null when it was sealed under another secret or changed since. */
export function decrypt(secret: string, use: string, sealed: Buffer): Buffer | null {
  const tag = sealed.subarray(-TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', keyFor(secret, use), sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  try {
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}
