// The English texts of signing in and of one's account, with the shop's; importing this module makes them known.
import { registerMessages } from '#lib/i18n/translate.ts'
import './en.ts'
import { account } from './en/account.ts'
import { auth } from './en/auth.ts'

export const accountEn = { ...account, ...auth }

type EnglishAccount = typeof accountEn

declare module '#lib/i18n/translate.ts' {
  interface MessageCatalog extends EnglishAccount {}
}

registerMessages('en', accountEn)
