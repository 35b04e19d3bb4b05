import { useEffect, useState } from 'react'
import { Button } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import type { Light } from '#features/setup/health-rules.ts'
import type { OpeningForm } from '#features/setup/open-shop.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, failureText } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { DayField } from '../ui/day-input.tsx'

interface OpenShopProps {
  opening: Settings['opening']
  today: string
  lights: Light[]
}

/** Opens the shop, or closes it again; a closed shop may announce its day. */
export function OpenShop({ opening: first, today, lights }: OpenShopProps) {
  const { t } = useI18n()
  const [opening, setOpening] = useState(first)
  const { ask, dialog } = useConfirm()
  const [day, setDay] = useState(opening.opensOn)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  // Not in the server's HTML: the first error there gets the focus, as of a form that was sent.
  const [isAwake, setAwake] = useState(false)
  useEffect(() => setAwake(true), [])
  const isPast = isAwake && day !== '' && day < today
  const notGreen = lights.filter(({ color }) => color !== 'green').length

  async function save(next: OpeningForm, done: string) {
    setBusy(true)
    setProblem(null)
    const answer = await adminPost<{ opening: Settings['opening'] }>('/admin/setup/opening', { ...next, shown: opening })
    setBusy(false)
    const saved = answer.ok ? answer.body.opening : answer.saved?.opening
    if (saved) {
      setOpening(saved)
      setDay(saved.opensOn)
    }
    if (!answer.ok) return setProblem(failureText(answer, t))
    showToast(done)
    if (next.isOpen !== undefined) location.reload()
  }
  async function open() {
    const text = t('setup.open-text', { count: notGreen })
    if (await ask({ title: t('setup.open-title'), text, action: t('setup.open'), kind: 'primary' }))
      await save({ isOpen: true, opensOn: '' }, t('setup.opened'))
  }
  async function close() {
    if (await ask({ title: t('setup.close-title'), text: t('setup.close-text'), action: t('setup.close') }))
      await save({ isOpen: false, opensOn: '' }, t('setup.closed'))
  }

  return (
    <div className="grid gap-3">
      {problem ? (
        <p role="alert" className="rounded-card bg-terracotta-100 px-4 py-3 font-semibold text-terracotta">
          {problem}
        </p>
      ) : null}
      {opening.isOpen ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span className="font-semibold">{t('setup.open-note')}</span>
          <Button kind="secondary" busy={busy} onClick={() => void close()}>
            {t('setup.close')}
          </Button>
        </div>
      ) : (
        <>
          <div className="flex flex-wrap items-end gap-2">
            <DayField
              id="opens-on"
              label={t('setup.opens-on')}
              hint={t('setup.opens-on-hint')}
              error={isPast ? t('setup.opens-on-past') : undefined}
              min={today}
              value={day}
              onChange={(event) => setDay(event.target.value)}
            />
            <Button kind="secondary" busy={busy} disabled={isPast} onClick={() => void save({ opensOn: day }, t('admin.saved'))}>
              {t('setup.save-day')}
            </Button>
          </div>
          <Button size="large" full busy={busy} onClick={() => void open()}>
            {t('setup.open')}
          </Button>
        </>
      )}
      {dialog}
    </div>
  )
}
