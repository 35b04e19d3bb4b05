import { MAX_POS_CODE_LENGTH } from '#features/pos/limits.ts'
import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../admin/ui/admin-post.ts'
import { AdminLayout } from '../admin/ui/layout.tsx'

export interface Props {
  /** ISO instant at which the current code was set; null: no code. */
  since: string | null
}

/** Sets the supervisor's own approval code, typed at the POS of cashiers. */
export function Page({ since }: Props) {
  const { t, lang } = useI18n()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  async function save(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    const answer = await adminPost('/admin/quick-orders/code', { code })
    setBusy(false)
    setError(answer.ok ? undefined : (answer.errors.code?.[0] ?? answer.message ?? t('admin.offline')))
    if (!answer.ok) return
    setCode('')
    showToast(t('pos.code.saved'))
  }
  return (
    <AdminLayout title={t('pos.code.title')} back={{ href: '/admin/quick-orders', label: t('pos.title') }}>
      <form onSubmit={save} className="admin-card max-w-md space-y-4 p-5">
        <p>{t('pos.code.text')}</p>
        {since ? <p className="text-stone">{t('pos.code.since', { when: formatDateTime(new Date(since), lang) })}</p> : null}
        <TextField
          name="code"
          label={t('pos.code.new')}
          hint={t('pos.code.hint')}
          type="password"
          inputMode="numeric"
          autoComplete="new-password"
          maxLength={MAX_POS_CODE_LENGTH}
          className="tabular-nums text-center text-xl tracking-[0.3em]"
          value={code}
          error={error}
          onChange={({ target }) => setCode(target.value)}
        />
        <Button type="submit" size="large" full busy={busy}>
          {t('pos.code.save')}
        </Button>
      </form>
    </AdminLayout>
  )
}
