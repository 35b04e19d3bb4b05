// Every English text of the storefront; importing this module makes English known.
import { registerMessages } from '#lib/i18n/translate.ts'
import { address } from './en/address.ts'
import { cart } from './en/cart.ts'
import { catalog } from './en/catalog.ts'
import { checkout } from './en/checkout.ts'
import { email } from './en/email.ts'
import { error } from './en/error.ts'
import { heads } from './en/heads.ts'
import { kurbani } from './en/kurbani.ts'
import { order } from './en/order.ts'
import { pages } from './en/pages.ts'
import { papers } from './en/papers.ts'
import { prebook } from './en/prebook.ts'
import { refusal } from './en/refusal.ts'
import { shell } from './en/shell.ts'
import { sms } from './en/sms.ts'

export const en = {
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

type English = typeof en

declare module '#lib/i18n/translate.ts' {
  interface MessageCatalog extends English {}
}

registerMessages('en', en)
