// Creates the first owner of a shop, or gives an owner without access a new password. Works while the shop runs or not.
import { text as readAll } from 'node:stream/consumers'
import { makeOwner } from '#features/auth/make-owner.server.ts'
import { MAX_PASSWORD_LENGTH } from '#features/auth/limits.ts'
import { MIN_PASSWORD_LENGTH, passwordProblem } from '#features/auth/password-rules.ts'
import { hashPassword } from '#features/auth/passwords.server.ts'
import { readSettings } from '#features/settings/settings.server.ts'
import { openDb, type Db } from '#lib/db/db.server.ts'
import { readCommandEnv } from '#lib/runtime/env.server.ts'
import { parseArguments } from '#lib/runtime/parse-arguments.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { randomCode } from '#lib/ids/ids.server.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { isStorable, isTooLong, sanitizeText } from '#lib/format/text.ts'
import { readShopAddress } from '#server/embedded/shop-address.ts'
import { COMMAND_CONNECTION, openShopDatabase } from './open-database.ts'

export const USAGE = 'npm run owner -- --phone 01712345678 --name "Abdul Karim" [--password-stdin]'

const PROBLEMS = {
  'auth.password-required': 'There is no password on the standard input.',
  'auth.password-short': `The password must have at least ${MIN_PASSWORD_LENGTH} characters.`,
  'auth.password-long': `The password must have at most ${MAX_PASSWORD_LENGTH} characters.`,
  'auth.password-common': 'This password is among the first that are guessed.',
  'auth.password-own': 'The own number or name is no password.',
}

function readFlags(args: string[]): { phone: string; name: string; fromStdin: boolean } {
  const options = { phone: { type: 'string' }, name: { type: 'string' }, 'password-stdin': { type: 'boolean' } } as const
  const { values } = parseArguments({ args, options }, USAGE)
  const phone = normalizePhone(values.phone ?? '')
  const name = sanitizeText(values.name ?? '')
  if (phone === null) throw new SettingsError(`--phone must be a mobile number of Bangladesh. ${USAGE}`)
  if (name === '' || isTooLong(name) || !isStorable(name)) throw new SettingsError(`--name must be a name. ${USAGE}`)
  return { phone, name, fromStdin: values['password-stdin'] ?? false }
}

/** A password from the standard input, for good; or a made-up one that is good for once. */
async function choosePassword(person: { phone: string; name: string; fromStdin: boolean }): Promise<{ password: string; once: boolean }> {
  if (!person.fromStdin) return { password: (randomCode(16).match(/.{4}/g) ?? []).join('-'), once: true }
  const password = (await readAll(process.stdin)).replace(/\r?\n$/, '')
  const problem = passwordProblem(password, person)
  if (problem) throw new SettingsError(PROBLEMS[problem])
  return { password, once: false }
}

/** What comes after the owner: signing in, and the set-up of a shop that is not open yet. */
async function nextSteps(db: Db, publicUrl: string): Promise<string[]> {
  const { opening } = await readSettings(db)
  if (opening.isOpen) return [`Next: start the shop (npm start) unless it runs, and log in at ${publicUrl}/login?way=password.`]
  return [
    `Next: start the shop (npm start) unless it runs, log in at ${publicUrl}/login?way=password and follow ${publicUrl}/admin/setup.`,
    'Visitors see that the shop is not open yet, until you press "Open the shop" there.',
  ]
}

export async function owner(args: string[]): Promise<number> {
  const person = readFlags(args)
  const { password, once } = await choosePassword(person)
  const env = readCommandEnv()
  const database = await openShopDatabase(env, 'migrate')
  const { db, close } = openDb(database.url, { ...COMMAND_CONNECTION, applicationName: 'khamar-owner' })
  try {
    const { phone, name } = person
    const made = await makeOwner(db, { phone, name, passwordHash: await hashPassword(password), once, now: new Date() })
    console.log(`${name} (${phone}) is ${made === 'new' ? 'an owner' : 'an owner now, and logged out everywhere'}.`)
    if (once) console.log(`Sign in once with the password ${password}, then choose your own.`)
    const address = database.isRunning ? readShopAddress(env.dataDir) : null
    for (const line of await nextSteps(db, address ?? env.publicUrl)) console.log(line)
    return 0
  } finally {
    await close()
    await database.close()
  }
}
