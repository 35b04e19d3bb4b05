// Every English text of the storefront; importing this module makes English known.
import { registerMessages } from '#lib/i18n/translate.ts'
import { about } from './en/about.ts'
import { address } from './en/address.ts'
import { cart } from './en/cart.ts'
import { catalog } from './en/catalog.ts'
import { checkout } from './en/checkout.ts'
import { compare } from './en/compare.ts'
import { email } from './en/email.ts'
import { error } from './en/error.ts'
import { heads } from './en/heads.ts'
import { kurbani } from './en/kurbani.ts'
import { order } from './en/order.ts'
import { pages } from './en/pages.ts'
import { tracking } from './en/tracking.ts'
import { prebook } from './en/prebook.ts'
import { refusal } from './en/refusal.ts'
import { review } from './en/review.ts'
import { shell } from './en/shell.ts'
import { sms } from './en/sms.ts'
import { suggest } from './en/suggest.ts'
import { wait } from './en/wait.ts'

export const en = {
  ...about,
  ...address,
  ...cart,
  ...catalog,
  ...checkout,
  ...compare,
  ...email,
  ...error,
  ...heads,
  ...kurbani,
  ...order,
  ...pages,
  ...tracking,
  ...prebook,
  ...refusal,
  ...review,
  ...shell,
  ...sms,
  ...suggest,
  ...wait,
}

type English = typeof en

declare module '#lib/i18n/translate.ts' {
  interface MessageCatalog extends English {}
}

registerMessages('en', en)
