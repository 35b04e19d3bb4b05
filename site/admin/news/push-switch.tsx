import { useEffect, useId, useState } from 'react'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { hasPush } from './news-store.ts'
import type { PushProblem } from './push-device.ts'

type Problem = PushProblem | 'insecure'

/** The switch of the notifications of this device, which arrive without an open page (decision 64). It says why they cannot. */
export function PushSwitch() {
  const { t } = useI18n()
  const { user } = usePageContext()
  const [isOn, setOn] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const note = useId()
  const userId = user?.id
  useEffect(() => {
    const found = findProblem()
    setProblem(found)
    setOn(found === null && userId !== undefined && hasPush(userId))
  }, [userId])
  if (userId === undefined) return null
  const isImpossible = problem === 'insecure' || problem === 'unsupported'

  async function change(checked: boolean): Promise<void> {
    setBusy(true)
    setOn(checked)
    const { startPush, stopPush } = await import('./push-device.ts')
    const found = checked ? await startPush(userId!) : await stopPush(userId!).then(() => null)
    setProblem(found)
    setOn(checked && found === null)
    setBusy(false)
  }

  function fail(): void {
    setProblem('failed')
    setOn(hasPush(userId!))
    setBusy(false)
  }

  return (
    <>
      <label className={`flex min-h-11 items-center gap-2 border-t border-line px-4 ${isImpossible ? 'text-stone' : ''}`}>
        <input
          type="checkbox"
          className="size-5 accent-leaf-600"
          checked={isOn}
          disabled={isImpossible}
          aria-busy={isBusy}
          aria-describedby={problem ? note : undefined}
          onChange={({ target }) => !isBusy && void change(target.checked).catch(fail)}
        />
        {t('news.push')}
      </label>
      <p id={note} role="status" className={problem ? 'px-4 pb-3 text-sm text-stone' : 'hidden'}>
        {problem ? t(`news.push-${problem}`) : null}
      </p>
    </>
  )
}

/** Why notifications are unavailable, as far as the browser reports it. */
function findProblem(): Problem | null {
  if (!isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : null
}
