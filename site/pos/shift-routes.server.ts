import { MAX_RECEIPT_LENGTH } from '#features/pos/limits.ts'
import { posCodeSince } from '#features/pos/supervisors.server.ts'
import { confirmAddress } from '#features/auth/confirm-address.ts'
import { isRecentlyAuthenticated } from '#features/auth/sessions.server.ts'
import { findReturn } from '#features/pos/return-receipts.server.ts'
import { readDayReport, readShiftSums } from '#features/pos/day-report.server.ts'
import { reportScope } from '#features/pos/report-scope-rules.ts'
import {
  findOpenShift,
  findOpenShiftCashier,
  findShift,
  findShiftByZNumber,
  listLeftShifts,
  listShiftPayments,
  listShifts,
} from '#features/pos/shift-queries.server.ts'
import { enabledMethods, EXTRA_METHODS } from '#features/pos/rules.ts'
import { refundAllowance } from '#features/pos/refund-limit-rules.ts'
import { findSaleByReceipt, findSoldSale, readRefundLimit } from '#features/pos/sale-queries.server.ts'
import { readRegisterFilter } from '#features/pos/register-filter.server.ts'
import { findRegisterRecord, listRegisterRecords } from '#features/pos/registers.server.ts'
import { listSales } from '#features/pos/sales-list.server.ts'
import { readDay, readSaleSearch } from '#features/pos/sales-query-rules.ts'
import { readId } from '#lib/format/id.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { translate } from '#lib/i18n/translate.ts'
import { dhakaDate } from '#lib/format/time.ts'
import type { AdminContext, AdminRoute } from '../admin/admin-route.server.ts'
import { dayFile } from './day-csv.server.ts'
import { adminHead } from '../admin/admin-head.server.ts'

/** POS pages beside selling: shifts, returns, and the supervisors' codes. */
export const shiftRoutes: AdminRoute[] = [
  {
    url: '/admin/quick-orders/close',
    page: 'pos/close-shift',
    permission: 'pos.sell',
    async load(context) {
      const { db, lang, staff } = context
      const shift = await findOpenShift(db, staff.id)
      if (!shift) return { redirect: '/admin/quick-orders' }
      return { props: { ...(await loadCount(context, shift.id)), of: null }, head: adminHead(lang, { key: 'pos.close-shift' }) }
    },
  },
  {
    url: '/admin/quick-orders/close/:id',
    page: 'pos/close-shift',
    permission: 'pos.approve',
    async load(context) {
      const { db, lang, params, staff } = context
      const id = readId(params.id) ?? 0
      const cashier = await findOpenShiftCashier(db, id)
      if (!cashier) return { redirect: '/admin/quick-orders/shifts' }
      if (cashier.id === staff.id) return { redirect: '/admin/quick-orders/close' }
      const of = { ...cashier, openedAt: cashier.openedAt.toISOString() }
      return { props: { ...(await loadCount(context, id)), of }, head: adminHead(lang, { key: 'pos.close-shift' }) }
    },
  },
  {
    url: '/admin/quick-orders/shifts',
    page: 'pos/shifts',
    permission: 'pos.read',
    async load(context) {
      const { db, lang, query, shopCache, staff } = context
      const z = (query.z ?? '').slice(0, MAX_RECEIPT_LENGTH)
      const found = z === '' ? null : await findShiftByZNumber(db, z, reportScope(staff, await shopCache.settings()))
      if (found !== null) return { redirect: `/admin/quick-orders/shift-report/${found}` }
      const { day, shifts, report, filter, scope } = await loadDay(context)
      if (query.download !== undefined) return { csv: dayFile(day, report, shifts, translate(context.lang)) }
      const left = await listLeftShifts(db, day, scope)
      return { props: { day, shifts, left, report, z, filter }, head: adminHead(lang, { key: 'pos.shifts' }) }
    },
  },
  {
    url: '/admin/quick-orders/day-report',
    page: 'admin/print/day',
    permission: 'pos.read',
    async load(context) {
      const { lang, query } = context
      const { day, shifts, report, filter } = await loadDay(context)
      const props = { day, shifts, report, filter, isReceipt: query.paper !== 'a4', printsImmediately: query.print === '1' }
      return { props, head: adminHead(lang, { key: 'pos.day-report' }) }
    },
  },
  {
    url: '/admin/quick-orders/shift-report/:id',
    page: 'admin/print/shift',
    permission: 'pos.read',
    async load({ db, shopCache, lang, params, query, now, staff }) {
      const scope = reportScope(staff, await shopCache.settings())
      const shift = await findShift(db, readId(params.id) ?? 0, scope)
      if (!shift) return { refuse: 404 }
      const report = scope.isBlind ? null : await readShiftSums(db, shift.id, lang)
      const props = { shift, report, printsImmediately: query.print === '1', now: now.toISOString() }
      return { props, head: adminHead(lang, { key: 'pos.shifts' }) }
    },
  },
  {
    url: '/admin/quick-orders/sales',
    page: 'pos/sales',
    permission: 'pos.sell',
    async load({ db, shopCache, lang, query, now, staff }) {
      const isWide = staff.can('orders.read')
      const day = readDay(isWide ? query.day : undefined, dhakaDate(now))
      const { pos_return: limit } = await shopCache.settings()
      const filter = await readRegisterFilter(db, query.register)
      const scope = {
        cashierId: isWide ? null : staff.id,
        day,
        days: isWide ? null : limit.days,
        registerId: filter.chosen?.id ?? null,
        now,
      }
      const page = await listSales(db, readSaleSearch(query.q), scope, { cursor: parseCursor(query, 2), lang })
      const q = (query.q ?? '').slice(0, MAX_RECEIPT_LENGTH).trim()
      return { props: { page, q, day: isWide ? day : null, filter }, head: adminHead(lang, { key: 'pos.sales' }) }
    },
  },
  {
    url: '/admin/quick-orders/return',
    page: 'pos/return',
    permission: 'pos.sell',
    async load({ db, shopCache, lang, query, now, staff }) {
      // The name of the query in bookmarks, and in POS pages of an earlier release.
      if (query.slip !== undefined)
        return { redirect: `/admin/quick-orders/return?receipt=${encodeURIComponent(query.slip)}`, isPermanent: true }
      const receipt = (query.receipt ?? '').slice(0, MAX_RECEIPT_LENGTH).trim()
      // Without a receipt the sale is found by the customer's phone.
      if (readSaleSearch(receipt)?.by === 'phone') return { redirect: `/admin/quick-orders/sales?q=${encodeURIComponent(receipt)}` }
      const [id, shift] = await Promise.all([receipt === '' ? null : findSaleByReceipt(db, receipt), findOpenShift(db, staff.id)])
      const sale = id === null ? null : await findSoldSale(db, id, lang)
      const { pos_return: limit, cash_rounding: roundsCash, pos_methods: setting } = await shopCache.settings()
      const refunded = sale && !staff.can('pos.approve') ? await readRefundLimit(db, { orderId: sale.id, cashierId: staff.id, now }) : null
      const allowance = sale && refunded ? refundAllowance(limit, refunded, new Date(sale.placedAt), now) : null
      const methods = [...new Set([...enabledMethods(setting), ...(sale?.extraMethods ?? [])])]
      return {
        props: { receipt, sale, allowance, roundsCash, methods, isOpen: shift !== null },
        head: adminHead(lang, { key: 'pos.return.title' }),
      }
    },
  },
  {
    url: '/admin/quick-orders/return-without-receipt',
    page: 'pos/return-without-receipt',
    permission: 'pos.sell',
    async load({ db, shopCache, lang, staff }) {
      const [shift, { cash_rounding: roundsCash, scale_labels: scales, pos_methods: setting }] = await Promise.all([
        findOpenShift(db, staff.id),
        shopCache.settings(),
      ])
      const props = { roundsCash, scales, methods: enabledMethods(setting), isOpen: shift !== null }
      return { props, head: adminHead(lang, { key: 'pos.receiptless' }) }
    },
  },
  {
    url: '/admin/quick-orders/return-receipts/:id',
    page: 'admin/print/return-receipt',
    permission: 'pos.read',
    async load({ db, lang, params, query, staff }) {
      const receipt = await findReturn(db, readId(params.id) ?? 0, { lang, counterOnly: !staff.can('orders.read') })
      if (!receipt) return { refuse: 404 }
      const t = translate(lang)
      const digits = (id: number) => localizeDigits(lang, String(id))
      const title =
        receipt.order_id === null
          ? t('pos.receiptless.receipt', { id: digits(receipt.id) })
          : t('pos.return.receipt', { id: digits(receipt.id), order: digits(receipt.order_id) })
      return { props: { receipt, isCopy: query.first !== '1', printsImmediately: query.print === '1' }, head: adminHead(lang, title) }
    },
  },
  {
    url: '/admin/quick-orders/registers',
    page: 'pos/registers',
    permission: 'pos.approve',
    async load({ db, lang }) {
      return { props: { registers: await listRegisterRecords(db) }, head: adminHead(lang, { key: 'pos.registers' }) }
    },
  },
  {
    url: '/admin/quick-orders/registers/:id',
    page: 'pos/register',
    permission: 'pos.approve',
    async load({ db, lang, params }) {
      const register = await findRegisterRecord(db, readId(params.id) ?? 0)
      if (!register) return { refuse: 404 }
      return { props: { register }, head: adminHead(lang, register.name) }
    },
  },
  {
    url: '/admin/quick-orders/code',
    page: 'pos/approval-code',
    permission: 'pos.approve',
    async load({ db, lang, now, user, staff, path }) {
      if (!user || !isRecentlyAuthenticated(user, now)) return { redirect: confirmAddress(path) }
      const since = await posCodeSince(db, staff.id)
      return { props: { since: since?.toISOString() ?? null }, head: adminHead(lang, { key: 'pos.code.title' }) }
    },
  },
]

/** What is counted when a shift is closed. */
async function loadCount({ db, shopCache }: AdminContext, shiftId: number) {
  const payments = await listShiftPayments(db, shiftId)
  const { pos_methods: setting } = await shopCache.settings()
  const methods = EXTRA_METHODS.filter((one) => setting[one] || payments.some(({ method }) => method === one))
  return { shiftId, payments, methods }
}

/** The shifts of the day in the address and its report, as far as the member of staff may see them. */
async function loadDay({ db, shopCache, lang, query, now, staff }: AdminContext) {
  const day = readDay(query.day, dhakaDate(now))
  const scope = reportScope(staff, await shopCache.settings())
  const filter = await readRegisterFilter(db, query.register)
  const registerId = filter.chosen?.id ?? null
  const [shifts, report] = await Promise.all([
    listShifts(db, day, scope, registerId),
    scope.isBlind ? null : readDayReport(db, day, lang, { cashierId: scope.cashierId, registerId }),
  ])
  return { day, shifts, report, filter, scope }
}
