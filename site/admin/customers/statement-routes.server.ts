import { findAccount } from '#features/pos/account/account-queries.server.ts'
import type { Statement } from '#features/pos/account/account-rules.ts'
import { readStatement } from '#features/pos/account/statement.server.ts'
import { enabledMethods } from '#features/pos/rules.ts'
import { readDay } from '#features/pos/sales-query-rules.ts'
import { readId } from '#lib/format/id.ts'
import type { CsvCell, CsvFile } from '#lib/csv/csv.server.ts'
import { type Poisha, poishaToTaka } from '#lib/format/money.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { addDays, dhakaDate, dhakaTime } from '#lib/format/time.ts'
import { type Translate, translate } from '#lib/i18n/translate.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'
import { methodName } from '../payments/method-name.ts'

/** Days that a statement shows at first. */
const STATEMENT_DAYS = 90

/** The statement of a customer's account: page with CSV, and print view. */
export const statementRoutes: AdminRoute[] = [
  {
    url: '/admin/customers/:id/statement',
    page: 'admin/customers/statement',
    permission: 'customers.read',
    async load(context) {
      const found = await loadStatement(context)
      if (!found) return { refuse: 404 }
      if (context.query.download !== undefined) return { csv: statementFile(found.account.id, found.statement, translate(context.lang)) }
      const { pos_methods: setting, cash_rounding: roundsCash } = await context.shopCache.settings()
      const { account, statement, head } = found
      return { props: { account, statement, methods: enabledMethods(setting), roundsCash }, head }
    },
  },
  {
    url: '/admin/customers/:id/statement/print',
    page: 'admin/print/statement',
    permission: 'customers.read',
    async load(context) {
      const found = await loadStatement(context)
      if (!found) return { refuse: 404 }
      const { account, statement, head } = found
      return { props: { account, statement, printsImmediately: context.query.print === '1' }, head }
    },
  },
]

async function loadStatement({ db, lang, params, query, now }: AdminContext) {
  const id = readId(params.id) ?? 0
  const account = await findAccount(db, { id })
  if (!account) return null
  const to = readDay(query.to, dhakaDate(now))
  const from = readDay(query.from, addDays(to, -STATEMENT_DAYS))
  const statement = await readStatement(db, account.id, from <= to ? { from, to } : { from: to, to: from })
  return { account, statement, head: adminHead(lang, translate(lang)('pos.account.statement-of', { name: shownName(account.name, lang) })) }
}

/** The statement as CSV, in the words of the page; amounts in taka. */
function statementFile(id: number, { from, to, opening, rows, closing }: Statement, t: Translate): CsvFile {
  const names = ['pos.account.date', 'money.time', 'pos.account.entry', 'admin-orders.order', 'admin-orders.method'] as const
  const edge = (day: string, name: string, balance: Poisha): CsvCell[] => [day, '', name, null, '', '', null, poishaToTaka(balance)]
  return {
    filename: `khamar-statement-${id}-${from}-${to}.csv`,
    head: [...names.map((key) => t(key)), t('admin-orders.transaction'), t('reports.taka'), t('pos.account.running')],
    rows: [
      edge(from, t('pos.account.opening'), opening),
      ...rows.map((row) => {
        const at = new Date(row.at)
        const entry = [
          t(`pos.account.kind.${row.kind}`),
          row.orderId,
          row.method === null ? '' : methodName(t, row.method),
          row.reference ?? '',
        ]
        return [dhakaDate(at), dhakaTime(at), ...entry, poishaToTaka(row.amount), poishaToTaka(row.balance)]
      }),
      edge(to, t('pos.account.closing'), closing),
    ],
  }
}
