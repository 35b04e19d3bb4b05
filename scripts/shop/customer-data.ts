import { type EraseConflict, erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { findPerson, type Person, readPersonalData } from '#features/customers/personal-data/read-personal-data.server.ts'
import { LINK_KEY } from '#features/messaging/link-keys.ts'
import { type Db, openDb } from '#lib/db/db.server.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { readCommandEnv } from '#lib/runtime/env.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { readArguments } from './arguments.ts'
import { confirm } from './confirm.ts'
import { COMMAND_CONNECTION, openShopDatabase } from './open-database.ts'

const REASONS: Record<EraseConflict, string> = {
  'open-orders': 'an order is not finished',
  'money-due': 'an order has an amount due or to be refunded',
  account: 'the account at the shop has a balance',
  'store-credit': 'there is store credit',
  refunds: 'a gateway refund is on its way',
  payments: 'a payment waits for the staff (an advance to verify, a review, a flag), or may come to a payment page of the last day',
  changed: 'the customer was merged or has another phone since; run this again',
}

export async function customerData(args: string[]): Promise<number> {
  const { values, first } = readArguments('customer-data', args, { erase: { type: 'boolean' }, yes: { type: 'boolean' } }, 1)
  const phone = normalizePhone(first)
  if (phone === null) throw new SettingsError(`${first} is no mobile number of Bangladesh.`)
  const database = await openShopDatabase(readCommandEnv(), 'current')
  const { db, close } = openDb(database.url, { ...COMMAND_CONNECTION, applicationName: 'khamar-customer-data', statementTimeout: 600_000 })
  try {
    const person = await findPerson(db, phone)
    if (!person) throw new SettingsError(`The phone ${phone} is that of a member of staff. Data of staff is not handled here.`)
    const data = await readPersonalData(db, person)
    if (Object.values(data).every((rows) => rows.length === 0)) throw new SettingsError(`Nothing is stored about the phone ${phone}.`)
    if (values.erase) await erase(db, person, values.yes ?? false)
    else console.log(JSON.stringify(data, null, 2).replace(LINK_KEY, '$1•••'))
    return 0
  } finally {
    await close()
    await database.close()
  }
}

async function erase(db: Db, person: Person, isConfirmed: boolean): Promise<void> {
  if (!isConfirmed) await confirmErasure(person)
  const result = await erasePerson(db, person, new Date())
  if (!result.ok) throw new SettingsError(`Nothing was erased: ${result.reasons.map((reason) => REASONS[reason]).join('; ')}.`)
  if (person.ids.length === 0) console.log('Erased. No account or order has this phone.')
  else
    console.log(
      `Erased. ${result.orders === 1 ? '1 order stays' : `${result.orders} orders stay`} with products, amounts, payments and dates, without name, phone and address.`,
    )
  console.log('Older backups still hold the data until the retention deletes them. After a restore of one, run this again.')
}

async function confirmErasure({ ids, phones }: Person): Promise<void> {
  const whose = ids.length === 0 ? 'without an account' : `of customer ${ids[0]}`
  await confirm(`The data ${whose} (${phones.join(', ')}) is erased for good.`, 'Nothing was erased.')
}
