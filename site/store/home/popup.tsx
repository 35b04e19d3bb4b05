import { useEffect, useState } from 'react'
import { Dialog } from '#components/dialog.tsx'
import { Picture } from '#components/picture.tsx'
import type { PopupJson } from '#features/catalog/types.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'

const CHECK_MS = 500
/** Checks in a row without use: a tapped link takes the focus from a field. */
const UNUSED_CHECKS = 4
/** A choice stays focused after it was made. */
const IN_USE = 'input:not([type=checkbox]):not([type=radio]):focus, dialog[open]'

/**
 * The closable campaign over the home page, once nothing is typed and no dialog is open, and not over a page that is being left. Showing it is
 * reported to the server immediately.
 */
export function Popup({ popup }: { popup: PopupJson }) {
  const { t } = useI18n()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    // A link that was followed while this component loaded.
    if (document.activeElement?.closest('a')) return
    let checksLeft = 0
    const show = () => {
      if (document.querySelector(IN_USE)) checksLeft = UNUSED_CHECKS
      if (checksLeft-- > 0) return
      clearInterval(timer)
      setOpen(true)
      void call('/mark-popup-shown', { method: 'POST', body: { shown: true } })
    }
    const timer = setInterval(show, CHECK_MS)
    // A link that a list answers in place is prevented.
    const leave = (event: Event) => {
      if (!event.defaultPrevented && (event.type === 'submit' || (event.target as Element).closest('a'))) clearInterval(timer)
    }
    addEventListener('click', leave)
    addEventListener('submit', leave)
    show()
    return () => {
      clearInterval(timer)
      removeEventListener('click', leave)
      removeEventListener('submit', leave)
    }
  }, [])
  const picture = popup.picture ? (
    <span className="block aspect-4/3 overflow-hidden rounded-card">
      <Picture picture={popup.picture} alt={popup.alt} sizes="260px" />
    </span>
  ) : (
    <img src={popup.image ?? ''} alt={popup.alt} width={300} height={225} className="w-full rounded-card" />
  )
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title={t('home.popup')} closeLabel={t('shell.close')} narrow>
      {popup.link ? (
        <a href={popup.link} className="block">
          {picture}
          <span aria-hidden="true" className="mt-3 block font-semibold text-leaf-800 underline underline-offset-4">
            {popup.alt}
          </span>
        </a>
      ) : (
        picture
      )}
    </Dialog>
  )
}
