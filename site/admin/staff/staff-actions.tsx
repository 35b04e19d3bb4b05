import { Button } from '#components/button.tsx'
import type { StaffRow } from '#features/auth/staff/queries.server.ts'
import { useI18n } from '#page/page-context.tsx'
import type { Question } from '../ui/confirm.tsx'

/** Sends a change of one person, when the question was agreed to; a new password is shown once. */
export type ChangeStaff = (row: StaffRow, path: string, body: object, question: Question | null, done: string) => Promise<void>

/** Further actions for a staff account. */
export function StaffActions({ row, isMe, change }: { row: StaffRow; isMe: boolean; change: ChangeStaff }) {
  const { t } = useI18n()
  const { name } = row
  if (row.disabled_at)
    return (
      <Button size="small" kind="secondary" onClick={() => void change(row, 'enable', {}, null, t('staff.enabled'))}>
        {t('staff.enable')}
      </Button>
    )
  const question = (what: 'new-password' | 'reset-factor' | 'disable') => ({
    title: t(`staff.${what}-title`, { name }),
    text: t(`staff.${what}-text`),
    action: t(`staff.${what}`),
  })
  return (
    <span role="group" aria-label={t('staff.actions-of', { name })} className="flex flex-wrap gap-1.5 max-md:justify-end">
      {row.second_factor && !isMe ? (
        <Button
          size="small"
          kind="secondary"
          onClick={() => void change(row, 'second-factor', {}, question('reset-factor'), t('staff.factor-reset'))}
        >
          {t('staff.reset-factor')}
        </Button>
      ) : null}
      {isMe ? null : (
        <>
          <Button size="small" kind="secondary" onClick={() => void change(row, 'password', {}, question('new-password'), '')}>
            {t('staff.new-password')}
          </Button>
          <Button size="small" kind="quiet" onClick={() => void change(row, 'disable', {}, question('disable'), t('staff.disabled'))}>
            {t('staff.disable')}
          </Button>
        </>
      )}
    </span>
  )
}
