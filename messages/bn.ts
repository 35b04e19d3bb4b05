// Every Bengali text of the storefront; importing this module makes Bengali known.
import { registerMessages, type TranslationOf } from '#lib/i18n/translate.ts'
import { about } from './bn/about.ts'
import { address } from './bn/address.ts'
import { cart } from './bn/cart.ts'
import { catalog } from './bn/catalog.ts'
import { checkout } from './bn/checkout.ts'
import { compare } from './bn/compare.ts'
import { email } from './bn/email.ts'
import { error } from './bn/error.ts'
import { heads } from './bn/heads.ts'
import { kurbani } from './bn/kurbani.ts'
import { order } from './bn/order.ts'
import { pages } from './bn/pages.ts'
import { tracking } from './bn/tracking.ts'
import { prebook } from './bn/prebook.ts'
import { refusal } from './bn/refusal.ts'
import { review } from './bn/review.ts'
import { shell } from './bn/shell.ts'
import { sms } from './bn/sms.ts'
import { suggest } from './bn/suggest.ts'
import { wait } from './bn/wait.ts'
import type { en } from './en.ts'

export const bn: TranslationOf<typeof en> = {
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

registerMessages('bn', bn)
