import { sql } from 'kysely'
import { decrypt, encrypt } from '#lib/crypto/keys.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { newShopKeys, readPrivateKey, type ShopKeys } from './encrypt-push.server.ts'

const USE = 'push'

export interface PushKeyDeps {
  db: Db
  env: { sessionSecret: string }
}

/**
 * The key pair of the shop, the same in every process. It is made at the first call. A pair that the session secret cannot decrypt is
 * replaced, and all devices are deleted: they accept messages of the former pair alone.
 */
export async function pushKeys({ db, env }: PushKeyDeps): Promise<ShopKeys> {
  const stored = await readKeys(db, env.sessionSecret)
  if (stored) return stored
  return inTransaction(db, async (tx) => {
    await sql`select 1 from push_state for update`.execute(tx)
    // Another process may have made them in the meantime.
    const others = await readKeys(tx, env.sessionSecret)
    if (others) return others
    const { secret, ...keys } = newShopKeys()
    await sql`update push_state set public_key = ${keys.publicKey}, secret = ${encrypt(env.sessionSecret, USE, secret)}`.execute(tx)
    await sql`delete from push_subscriptions`.execute(tx)
    return keys
  })
}

async function readKeys(db: Db, sessionSecret: string): Promise<ShopKeys | null> {
  const { rows } = await sql<{ public_key: Buffer | null; secret: Buffer | null }>`select public_key, secret from push_state`.execute(db)
  const { public_key: publicKey = null, secret = null } = rows[0] ?? {}
  const decrypted = secret && decrypt(sessionSecret, USE, secret)
  return publicKey && decrypted ? { publicKey, privateKey: readPrivateKey(decrypted) } : null
}
