import { findAccount, listOpenOrders } from '#features/pos/account/account-queries.server.ts'
import { findAccountPayment } from '#features/pos/account/receive-payment.server.ts'
import { enabledMethods, readPosPhone } from '#features/pos/rules.ts'
import { findOpenShift } from '#features/pos/shift-queries.server.ts'
import { readId } from '#lib/format/id.ts'
import { MAX_TYPED_PHONE_LENGTH } from '#lib/format/input-limits.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { AdminRoute } from '../admin/admin-route.server.ts'
import { adminHead } from '../admin/admin-head.server.ts'

/** How long the receipt of a payment may open the drawer, in milliseconds: a later one would open it without money. */
const NEW_MS = 5 * 60_000

/** Customers' accounts at the POS. */
export const accountRoutes: AdminRoute[] = [
  {
    url: '/admin/quick-orders/account',
    page: 'pos/account',
    permission: 'pos.sell',
    async load({ db, shopCache, lang, query, staff }) {
      const typed = (query.phone ?? '').slice(0, MAX_TYPED_PHONE_LENGTH).trim()
      const phone = readPosPhone(typed)
      const [account, shift] = await Promise.all([phone ? findAccount(db, { phone }) : null, findOpenShift(db, staff.id)])
      const orders = account ? await listOpenOrders(db, account.id) : []
      const { pos_methods: setting, cash_rounding: roundsCash } = await shopCache.settings()
      const props = { phone: typed, account, orders, methods: enabledMethods(setting), roundsCash, isOpen: shift !== null }
      return { props, head: adminHead(lang, { key: 'pos.account.title' }) }
    },
  },
  {
    url: '/admin/quick-orders/account-receipts/:id',
    page: 'admin/print/account-receipt',
    permission: ['pos.read', 'orders.read'],
    async load({ db, lang, now, params, query, staff }) {
      const receipt = await findAccountPayment(db, readId(params.id) ?? 0, { shiftsOnly: !staff.can('orders.read') })
      if (!receipt) return { refuse: 404 }
      const title = translate(lang)('pos.account.receipt', { id: localizeDigits(lang, String(receipt.id)) })
      const printsImmediately = query.print === '1'
      const isNew = now.getTime() - new Date(receipt.at).getTime() < NEW_MS
      const isFirst = printsImmediately && isNew
      const props = { receipt, isCopy: !isFirst, printsImmediately, opensDrawer: isFirst && receipt.method === 'cash' }
      return { props, head: adminHead(lang, title) }
    },
  },
]
