import { findAccount } from '#features/reconciliation/accounts.server.ts'
import { findDay, listAccounts, listDays, listOpenEntries, listRows, listUploads } from '#features/reconciliation/queries.server.ts'
import { STATEMENT_LISTS, type StatementList } from '#features/reconciliation/rules.ts'
import { MAX_DAYS_OF_ENTRIES, readPeriod } from '#features/reports/period-rules.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import { dhakaDate, isDay } from '#lib/format/time.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'
import { readShortId } from '#lib/format/id.ts'

export const reconciliationRoutes: AdminRoute[] = [
  {
    url: '/admin/payments/accounts',
    page: 'admin/payments/accounts',
    permission: 'payments.reconcile',
    async load({ db, lang }) {
      return { props: { accounts: await listAccounts(db) }, head: adminHead(lang, { key: 'money.reconciliation' }) }
    },
  },
  {
    url: '/admin/payments/accounts/:id',
    page: 'admin/payments/account',
    permission: 'payments.reconcile',
    async load({ db, lang, now, query, params }) {
      const id = readShortId(params.id)
      const account = id === null ? null : await findAccount(db, id)
      if (!account) return { refuse: 404 }
      const period = readPeriod(query, dhakaDate(now), MAX_DAYS_OF_ENTRIES)
      const [days, uploads] = await Promise.all([listDays(db, account, period), listUploads(db, account.id)])
      const { id: accountId, name, method } = account
      const props = { account: { id: accountId, name, method }, period, days, uploads }
      return { props, head: adminHead(lang, { key: 'money.reconciliation' }) }
    },
  },
  {
    url: '/admin/payments/accounts/:id/:day',
    page: 'admin/payments/account-day',
    permission: 'payments.reconcile',
    async load({ db, lang, query, params }) {
      const id = readShortId(params.id)
      const on = params.day ?? ''
      const account = id === null || !isDay(on) ? null : await findAccount(db, id)
      if (!account) return { refuse: 404 }
      const day = await findDay(db, account, on)
      const fallback: StatementList = day.open_rows > 0 ? 'statement' : day.open_entries > 0 ? 'books' : 'matched'
      const list = STATEMENT_LISTS.find((one) => one === query.list) ?? fallback
      const cursor = parseCursor(query, 1)
      const rows = list === 'books' ? null : await listRows(db, account.id, { day: on, isOpen: list === 'statement' }, cursor)
      const entries = list === 'books' ? await listOpenEntries(db, account, on, cursor) : null
      const { id: accountId, name, method } = account
      const props = { account: { id: accountId, name, method }, day, list, rows, entries }
      return { props, head: adminHead(lang, { key: 'money.reconciliation' }) }
    },
  },
]
