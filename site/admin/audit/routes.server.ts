import { nameAuditedRecords } from '#features/audit/names.server.ts'
import { type AuditFilter, listActors, listAudit } from '#features/audit/queries.server.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import { isDay } from '#lib/format/time.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

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
      const [page, actors] = await Promise.all([listAudit(db, auditFilter(query, staff), parseCursor(query, 1)), listActors(db)])
      const names = await nameAuditedRecords(db, page.rows, lang)
      return { props: { page, actors, names, query }, head: adminHead(lang, { key: 'admin.nav.audit' }) }
    },
  },
]

function auditFilter(query: Record<string, string>, staff: AdminContext['staff']): AuditFilter {
  const name = (text: string | undefined) => (/^[a-z][a-z-]{1,39}$/.test(text ?? '') ? text : undefined)
  const day = (text: string | undefined) => (text !== undefined && isDay(text) ? text : undefined)
  return {
    subject: name(query.subject),
    subjectId: /^[\w.-]{1,100}$/.test(query.subject_id ?? '') ? query.subject_id : undefined,
    actorId: /^\d{1,15}$/.test(query.actor ?? '') ? Number(query.actor) : undefined,
    from: day(query.from),
    to: day(query.to),
    hidden: Object.entries(GUARDED).flatMap(([subject, right]) => (staff.can(right) ? [] : [subject])),
  }
}
