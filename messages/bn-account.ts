// The Bengali texts of signing in and of one's account, with the shop's; importing this module makes them known.
import { registerMessages, type TranslationOf } from '#lib/i18n/translate.ts'
import './bn.ts'
import { account } from './bn/account.ts'
import { auth } from './bn/auth.ts'
import type { accountEn } from './en-account.ts'

export const accountBn: TranslationOf<typeof accountEn> = { ...account, ...auth }

registerMessages('bn', accountBn)
