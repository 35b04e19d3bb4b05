import { useEffect, useState } from 'react'
import { NEWS, newsKindsFor } from '#features/news/rules.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { useI18n } from '#page/page-context.tsx'
import { BellIcon } from '../ui/icons.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { CountText, NewsCount } from './news-count.tsx'
import { hasNewsSound, setNewsSound, useNewsCounts } from './news-store.ts'
import { PushSwitch } from './push-switch.tsx'
import { useNews } from './use-news.ts'

const PANEL = 'news-panel'

/** The bell of the head: the number of news, and a list of links to them, with the switch of the sound. */
export function NewsBell() {
  const { t } = useI18n()
  const { can } = usePermissions()
  useNews()
  const counts = useNewsCounts()
  const kinds = newsKindsFor(can)
  if (kinds.length === 0) return null
  const total = kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0)
  return (
    <>
      <button
        type="button"
        popoverTarget={PANEL}
        onClick={togglePanel}
        aria-label={t('news.button', { count: total })}
        className="relative grid size-11 shrink-0 place-items-center rounded-card hover:bg-leaf-100"
      >
        <BellIcon />
        {total > 0 ? (
          <span aria-hidden="true" className="news-count absolute end-0 top-0.5">
            <CountText count={total} />
          </span>
        ) : null}
      </button>
      <div
        id={PANEL}
        popover="auto"
        role="region"
        aria-label={t('news.title')}
        className="fixed inset-auto end-2 top-13 z-50 m-0 w-72 max-w-[calc(100vw-1rem)] rounded-card border border-line bg-milk p-0 text-ink shadow-soft"
      >
        <h2 className="px-4 pt-3 text-base">{t('news.title')}</h2>
        {total === 0 ? <p className="px-4 text-sm text-stone">{t('news.none')}</p> : null}
        <ul className="mt-1">
          {kinds.map((kind) => (
            <li key={kind}>
              <a href={NEWS[kind].href} className="flex min-h-11 items-center px-4 hover:bg-leaf-100">
                {t(`admin.nav.${kind}` as 'admin.nav' & MessageKey)}
                <NewsCount hrefs={[NEWS[kind].href]} />
              </a>
            </li>
          ))}
        </ul>
        <SoundSwitch />
        <PushSwitch />
      </div>
    </>
  )
}

/** Opens and closes the panel in browsers without popovers, before Safari 17, Chrome 114 and Firefox 125 (admin.css). */
function togglePanel(): void {
  const panel = document.getElementById(PANEL)
  if (panel && !('popover' in panel)) (panel as HTMLElement).toggleAttribute('data-open')
}

function SoundSwitch() {
  const { t } = useI18n()
  const [isOn, setOn] = useState(false)
  useEffect(() => setOn(hasNewsSound()), [])
  return (
    <label className="flex min-h-11 items-center gap-2 border-t border-line px-4">
      <input
        type="checkbox"
        className="size-5 accent-leaf-600"
        checked={isOn}
        onChange={({ target }) => {
          setOn(target.checked)
          setNewsSound(target.checked)
          // The user hears the sound that was chosen; the press also lets the browser play later ones.
          if (target.checked) void import('../../pos/beep.ts').then(({ beep }) => beep('accepted')).catch(() => {})
        }}
      />
      {t('news.sound')}
    </label>
  )
}
