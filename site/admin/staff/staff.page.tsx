import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import { STAFF_ROLES, type StaffRole } from '#features/auth/permissions.ts'
import type { StaffRow } from '#features/auth/staff/queries.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { AddStaff } from './add-staff.tsx'
import { PasswordOnce } from './password-once.tsx'
import { RolesTable } from './roles-table.tsx'
import { type ChangeStaff, StaffActions } from './staff-actions.tsx'
import { ActingSelect } from '../ui/acting-select.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { PlusIcon } from '../ui/icons.tsx'

export interface Props {
  staff: StaffRow[]
  /** Id of the viewer. */
  me: number
}

interface Answer {
  person: StaffRow
  password?: string
}

/** The list of staff members and their roles. */
export function Page({ staff: found, me }: Props) {
  const { t, lang } = useI18n()
  const [staff, setStaff] = useState(found)
  const [isAdding, setAdding] = useState(false)
  const [shown, setShown] = useState<{ name: string; password: string } | null>(null)
  const { ask, dialog } = useConfirm()

  function take({ person, password }: Answer): void {
    setStaff((now) => (now.some(({ id }) => id === person.id) ? now.map((row) => (row.id === person.id ? person : row)) : [...now, person]))
    if (password) setShown({ name: person.name, password })
  }
  const change: ChangeStaff = async (row, path, body, question, done) => {
    if (question && !(await ask(question))) return
    const written = await adminPost<Answer>(`/admin/staff/${row.id}/${path}`, body)
    if (!written.ok) {
      if (written.saved?.person) take({ person: written.saved.person })
      return showFailure(written, t)
    }
    take(written.body)
    if (done) showToast(done)
  }

  const columns: Column<StaffRow>[] = [
    {
      key: 'name',
      head: t('staff.name'),
      lead: true,
      cell: (row) => (
        <>
          <b className="break-words">{row.name}</b> {row.id === me ? <span className="chip chip-indigo">{t('staff.you')}</span> : null}
          {row.disabled_at ? <span className="chip chip-terracotta">{t('staff.closed')}</span> : null}
          {row.password_once ? <span className="block text-sm font-normal text-stone">{t('staff.once')}</span> : null}
        </>
      ),
    },
    { key: 'phone', head: t('staff.phone'), cell: (row) => <span className="tabular-nums">{localizeDigits(lang, row.phone)}</span> },
    { key: 'role', head: t('staff.role'), cell: (row) => <RoleChoice row={row} change={change} /> },
    {
      key: 'factor',
      head: t('staff.second-factor'),
      cell: (row) =>
        row.second_factor ? <span className="chip chip-leaf">{t('staff.on')}</span> : <span className="text-stone">{t('staff.off')}</span>,
    },
    {
      key: 'seen',
      head: t('staff.last-seen'),
      cell: (row) =>
        row.last_seen_at ? <time dateTime={row.last_seen_at}>{formatDateTime(new Date(row.last_seen_at), lang)}</time> : t('staff.never'),
    },
    {
      key: 'do',
      head: t('admin.table.actions'),
      cell: (row) => (row.id === me && !row.second_factor ? null : <StaffActions row={row} isMe={row.id === me} change={change} />),
    },
  ]
  return (
    <AdminLayout
      title={t('admin.nav.staff')}
      actions={
        <Button onClick={() => setAdding(true)}>
          <PlusIcon size={18} />
          {t('staff.add')}
        </Button>
      }
    >
      <DataTable label={t('admin.nav.staff')} rows={staff} columns={columns} rowKey={(row) => row.id} />
      <RolesTable />
      {isAdding ? <AddStaff close={() => setAdding(false)} onAdded={take} /> : null}
      {shown ? <PasswordOnce {...shown} close={() => setShown(null)} /> : null}
      {dialog}
    </AdminLayout>
  )
}

/** Selects a role. A change is confirmed first, and undone without consent. The focus stays on the list of roles. */
function RoleChoice({ row, change }: { row: StaffRow; change: ChangeStaff }) {
  const { t } = useI18n()
  const [chosen, setChosen] = useState<StaffRole | null>(null)
  const { name } = row
  async function choose(role: StaffRole) {
    setChosen(role)
    const called = t(`admin.role.${role}`)
    const question = {
      title: t('staff.role-title', { name, role: called }),
      text: t('staff.role-text', { can: t(`staff.can.${role}`) }),
      action: called,
      kind: 'primary' as const,
    }
    await change(row, 'role', { role, previous: row.role }, question, t('staff.role-changed', { name, role: called }))
    setChosen(null)
  }
  return (
    <ActingSelect
      aria-label={t('staff.role-of', { name })}
      className="admin-input"
      value={chosen ?? row.role}
      onChange={(event) => void choose(event.target.value as StaffRole)}
    >
      {STAFF_ROLES.map((role) => (
        <option key={role} value={role}>
          {t(`admin.role.${role}`)}
        </option>
      ))}
    </ActingSelect>
  )
}
