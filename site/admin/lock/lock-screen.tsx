import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { locksWhenIdle } from '#features/auth/lock-rules.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { LOCKED_EVENT, UNLOCKED_EVENT } from './lock-events.ts'
import { LockForm } from './lock-form.tsx'
import { SwitchForm } from './switch-form.tsx'
import { useIdleLock } from './use-idle-lock.ts'

/** Covers the page while the session is locked. The page stays as it is below: a sale goes on after the PIN. */
export function LockScreen() {
  const { t } = useI18n()
  const { user } = usePageContext()
  const { role, can } = usePermissions()
  const [isLocked, setLocked] = useState(false)
  const [isSwitching, setSwitching] = useState(false)
  const lock = useCallback(() => setLocked(true), [])
  useIdleLock(locksWhenIdle(role) && !isLocked, lock)
  useEffect(() => {
    window.addEventListener(LOCKED_EVENT, lock)
    return () => window.removeEventListener(LOCKED_EVENT, lock)
  }, [lock])
  if (!isLocked || !user) return null
  const unlocked = () => {
    setLocked(false)
    window.dispatchEvent(new Event(UNLOCKED_EVENT))
  }
  return (
    <Cover label={t('lock.title')}>
      <h2 className="mb-3 text-2xl">{t(isSwitching ? 'lock.switch' : 'lock.title')}</h2>
      {isSwitching ? <SwitchForm /> : <LockForm name={user.name} hasPin next={location.pathname + location.search} onUnlocked={unlocked} />}
      {can('pos.sell') ? (
        <Button kind="secondary" full className="mt-4" onClick={() => setSwitching(!isSwitching)}>
          {isSwitching ? t('lock.unlock-as', { name: user.name }) : t('lock.switch')}
        </Button>
      ) : null}
    </Cover>
  )
}

/** A modal dialog as large as the window, which Escape does not close. */
function Cover({ label, children }: { label: string; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    const open = () => {
      if (element?.isConnected && !element.open) element.showModal()
    }
    open()
    element?.addEventListener('close', open)
    return () => element?.removeEventListener('close', open)
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      data-lock
      closedby="none"
      className="m-0 h-dvh max-h-none w-screen max-w-none overflow-y-auto bg-leaf-800 p-4 text-start"
      onCancel={(event) => event.preventDefault()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className="mx-auto mt-[8vh] w-full max-w-md rounded-card bg-milk p-5 sm:p-8">{children}</div>
    </dialog>
  )
}
