import { useEffect, useState } from 'react'
import { ToastRegion } from '#components/toast.tsx'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { clearPosCacheOfOthers } from '#features/pos/page-cache.ts'
import { LockScreen } from '../lock/lock-screen.tsx'
import { useCarriedToasts } from './carried-toasts.ts'
import { Palette, usePaletteKey } from './command-palette.tsx'
import { KeyHelp } from './key-help.tsx'
import { usePageKeys } from './keys.ts'
import { Drawer } from './sidebar.tsx'
import { ToastAlert } from './toast-alert.tsx'
import { useDialogErrors } from './use-dialog-errors.ts'
import { useRequiredMessage } from './use-required-message.ts'

type Overlay = 'palette' | 'keys' | 'menu'

/**
 * What every frame of the admin does: keys of the page, messages of required fields, errors of dialogs, toasts of the page before, and one
 * open overlay.
 */
export function useFrame() {
  const { user } = usePageContext()
  const userId = user?.id
  useEffect(() => void (userId !== undefined && clearPosCacheOfOthers(userId)), [userId])
  useCarriedToasts()
  useRequiredMessage()
  useDialogErrors()
  const [open, setOpen] = useState<Overlay | null>(null)
  usePaletteKey(() => setOpen('palette'))
  usePageKeys({
    '?': () => setOpen('keys'),
    '/': (event) => {
      const field = document.querySelector<HTMLInputElement>('input[type=search]')
      if (!field) return
      event.preventDefault()
      field.focus()
      field.select()
    },
  })
  return { open, setOpen }
}

/** The overlays of a frame: menu, palette, help with keys, lock screen, toasts. */
export function FrameOverlays({ open, setOpen }: ReturnType<typeof useFrame>) {
  const { t } = useI18n()
  const close = () => setOpen(null)
  return (
    <>
      <Drawer open={open === 'menu'} onClose={close} />
      <Palette open={open === 'palette'} onClose={close} />
      <KeyHelp open={open === 'keys'} onClose={close} />
      <LockScreen />
      <ToastRegion closeLabel={t('admin.close')} />
      <ToastAlert />
    </>
  )
}

/** The first link of a page leads keyboards past the menu. */
export function SkipLink() {
  const { t } = useI18n()
  return (
    <a
      href="#content"
      className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-card focus:bg-tag focus:px-4 focus:py-3 focus:font-semibold"
    >
      {t('admin.skip')}
    </a>
  )
}
