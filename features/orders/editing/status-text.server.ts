import type { Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { StatusResult } from '../status/change-status.server.ts'
import { creditLimitText } from './account-credit.server.ts'
import { missingNames } from './order-line-pricing.server.ts'

/** The error text of a status change. */
export async function statusText(db: Db, result: StatusResult & { ok: false }, lang: Lang): Promise<string> {
  const t = translate(lang)
  switch (result.reason) {
    case 'not-found':
      return t('error.not-found')
    case 'reason-required':
      return t('admin-orders.reason-required')
    case 'changed':
      return t('admin-orders.changed')
    case 'no-such-step':
      return t('admin-orders.no-such-step')
    case 'unavailable':
      return t('admin-orders.goods-gone', { names: (await missingNames(db, result.missing, lang)).join(', ') })
    case 'cash-refused':
      return result.cash === 'no-shift' ? t('admin-orders.drawer-closed') : t(`door.cash-${result.cash}`)
    case 'over-credit-limit':
      return creditLimitText(result.account, lang)
  }
}
