// Every Bengali text of the storefront; importing this module makes Bengali known.
import { registerMessages } from '#lib/i18n/translate.ts'
import type { TranslationOf } from '#lib/i18n/translate.ts'
import { address } from './bn/address.ts'
import { cart } from './bn/cart.ts'
import { catalog } from './bn/catalog.ts'
import { checkout } from './bn/checkout.ts'
import { email } from './bn/email.ts'
import { error } from './bn/error.ts'
import { heads } from './bn/heads.ts'
import { kurbani } from './bn/kurbani.ts'
import { order } from './bn/order.ts'
import { pages } from './bn/pages.ts'
import { papers } from './bn/papers.ts'
import { prebook } from './bn/prebook.ts'
import { refusal } from './bn/refusal.ts'
import { shell } from './bn/shell.ts'
import { sms } from './bn/sms.ts'
import type { en } from './en.ts'

export const bn: TranslationOf<typeof en> = {
  ...address,
  ...cart,
  ...catalog,
  ...checkout,
  ...email,
  ...error,
  ...heads,
  ...kurbani,
  ...order,
  ...pages,
  ...papers,
  ...prebook,
  ...refusal,
  ...shell,
  ...sms,
}

registerMessages('bn', bn)
