import { nameAuditedRecords } from '#features/audit/names.server.ts'
import { AUDIT_PAGE, type AuditFilter, listActors, listAudit } from '#features/audit/queries.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { LOG_SORTS, readListView, readPages } from '#lib/db/keyset.ts'
import { readId } from '#lib/format/id.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { isDay } from '#lib/format/time.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'
import { csvInstant, exportList } from '../list-export.server.ts'
import { auditedChanges, auditedRecord, auditedAction } from './audit-labels.ts'
import { PRODUCT_WORDS } from './product-words.ts'

/** A manager's log leaves out staff and settings [E5]. */
const GUARDED = { staff: 'staff.read', settings: 'settings.read' } as const

export const auditRoutes: AdminRoute[] = [
  {
    url: '/admin/audit',
    page: 'admin/audit/audit',
    permission: 'audit.read',
    readsReplica: true,
    screen: 'audit',
    async load({ db, lang, query, staff }) {
      const [page, actors] = await Promise.all([
        listAudit(db, auditFilter(query, staff), readListView(query, LOG_SORTS, AUDIT_PAGE)),
        listActors(db),
      ])
      const names = await nameAuditedRecords(db, page.rows, lang)
      return { props: { page, actors, names, query }, head: adminHead(lang, { key: 'admin.nav.audit' }) }
    },
  },
  {
    url: '/admin/audit/export',
    page: 'admin/audit/audit',
    permission: 'audit.read',
    load: exportAudit,
  },
]

/** The entries of the list as a file, in its order, with the words of the page. */
function exportAudit(context: AdminContext) {
  const { db, lang, query, staff } = context
  const t = translate(lang)
  const filter = auditFilter(query, staff)
  async function* pages() {
    for await (const rows of readPages(readListView(query, LOG_SORTS, AUDIT_PAGE), (view) => listAudit(db, filter, view))) {
      const words = { t, lang, names: await nameAuditedRecords(db, rows, lang), product: PRODUCT_WORDS }
      yield rows.map((row) => ({ row, words }))
    }
  }
  return exportList(context, {
    subject: 'audit',
    name: 'audit',
    head: [t('audit.when'), t('audit.who'), t('audit.subject'), t('audit.what'), t('audit.before'), t('audit.after'), 'IP'],
    pages: pages(),
    line: ({ row, words }) => [
      csvInstant(row.at),
      row.actor?.name ?? t('audit.system'),
      auditedRecord(row, words).text,
      auditedAction(t, row.action),
      auditedChanges(row.subject, row.before, words),
      auditedChanges(row.subject, row.after, words),
      row.ip,
    ],
  })
}

function auditFilter(query: Record<string, string>, staff: AdminContext['staff']): AuditFilter {
  const name = (text: string | undefined) => (/^[a-z][a-z-]{1,39}$/.test(text ?? '') ? text : undefined)
  const day = (text: string | undefined) => (text !== undefined && isDay(text) ? text : undefined)
  const number = latinDigits(query.subject_id ?? '').trim()
  return {
    subject: name(query.subject),
    subjectId: /^[\w.-]{1,100}$/.test(number) ? number : undefined,
    actorId: readId(query.actor) ?? undefined,
    from: day(query.from),
    to: day(query.to),
    hidden: Object.entries(GUARDED).flatMap(([subject, permission]) => (staff.can(permission) ? [] : [subject])),
  }
}
