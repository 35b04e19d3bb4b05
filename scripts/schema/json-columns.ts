/** The TypeScript type of a JSON column, as code, and the file that declares its names. `from` is missing where the language has the type. */
interface JsonColumn {
  type: string
  from?: string
}

const FIELDS = 'Record<string, unknown>'

/**
 * What each JSON column holds: the one place that says so. `db/types.ts` is generated with these types, and `scripts/check-sql` compares the
 * rows that statements declare with them. `unknown`: the value depends on another column, and the reader must check it.
 */
export const JSON_COLUMNS: Record<string, JsonColumn> = {
  'audit_log.before': { type: FIELDS },
  'audit_log.after': { type: FIELDS },
  'backup_runs.sums': { type: 'Totals', from: '#features/backup/archive/format.ts' },
  'bulk_run_orders.failure': { type: 'BulkFailure', from: '#features/bulk-orders/bulk-queries.server.ts' },
  'challenges.details': { type: 'ChallengeDetails', from: '#features/auth/challenges.server.ts' },
  'email_outbox.detail': { type: 'EmailDetail', from: '#features/email/outbox.server.ts' },
  'gateway_events.detail': { type: 'GatewayEventDetail', from: '#features/payments/gateway.ts' },
  'held_sales.sale': { type: 'HeldSaleForm', from: '#features/pos/held-forms.ts' },
  // The result of the command: its type is that of the route.
  'idempotency_keys.result': { type: 'unknown' },
  'order_drafts.form': { type: 'DraftForm', from: '#features/orders/drafts/forms.ts' },
  'order_events.detail': { type: FIELDS },
  'pos_approvals.lines': { type: 'SaleLine[]', from: '#features/pos/approval-rules.ts' },
  'push_state.pushed': { type: 'Pushed', from: '#features/news/rules.ts' },
  // One type for each key: features/settings/stored-settings.ts reads them.
  'settings.value': { type: 'unknown' },
  'statement_accounts.mapping': { type: 'StatementMapping', from: '#features/reconciliation/rules.ts' },
}
