import '../admin.css'
import type { ReactNode } from 'react'
import { LanguageSwitch } from '#components/language-switch.tsx'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { FrameOverlays, SkipLink, useFrame } from './frame.tsx'
import { MenuIcon, SearchIcon } from './icons.tsx'
import { useStoredList } from './list-url.ts'

interface FullScreenLayoutProps {
  title: ReactNode
  actions?: ReactNode
  children: ReactNode
}

const ICON_BUTTON = 'grid size-11 shrink-0 place-items-center rounded-card hover:bg-leaf-100'
const TOP_ROW = 'flex items-center gap-1 lg:border-b lg:border-line lg:bg-milk lg:px-2 lg:py-0.5'

/**
 * Toasts are at the bottom: above the bar of a phone, in the middle of a wide screen. A page that is worked on all day has its fields at the top,
 * where they would cover them after each sale.
 */
const TOASTS_BELOW = '[&>[role=status]]:top-auto [&>[role=status]]:bottom-28 [&>[role=status]]:items-center lg:[&>[role=status]]:bottom-3'

/**
 * The frame of an admin page that needs the whole screen: the menu is a drawer, and title and actions share one row.
 * On wide screens the page is as high as the window, and its panes scroll inside.
 */
export function FullScreenLayout({ title, actions, children }: FullScreenLayoutProps) {
  const { t } = useI18n()
  const { demo } = usePageContext()
  const frame = useFrame()
  useStoredList(true)
  return (
    <div
      className={`${TOASTS_BELOW} instant flex min-h-dvh flex-col lg:grid lg:h-dvh lg:min-h-0 lg:grid-cols-[auto_minmax(0,1fr)_auto] lg:grid-rows-[auto_minmax(0,1fr)] lg:overflow-clip print:block`}
    >
      <SkipLink />
      <header className="admin-top sticky top-0 z-20 flex items-center justify-between border-b border-line bg-milk px-2 py-1 lg:contents">
        <div className={`${TOP_ROW} lg:col-start-1 lg:row-start-1`}>
          <button type="button" aria-label={t('admin.menu')} className={ICON_BUTTON} onClick={() => frame.setOpen('menu')}>
            <MenuIcon />
          </button>
          <h1 id="page-title" className="truncate text-lg">
            {title}
          </h1>
        </div>
        <div className={`${TOP_ROW} lg:col-start-3 lg:row-start-1`}>
          {demo ? <span className="chip chip-tag max-sm:hidden">{t('admin.demo')}</span> : null}
          <button
            type="button"
            aria-label={t('admin.find.hint')}
            title={`${t('admin.find.hint')} (Ctrl K)`}
            className={ICON_BUTTON}
            onClick={() => frame.setOpen('palette')}
          >
            <SearchIcon size={20} />
          </button>
          <LanguageSwitch />
        </div>
      </header>
      <section
        aria-labelledby="page-title"
        className={`${TOP_ROW} action-row admin-bar relative overflow-x-auto lg:col-start-2 lg:row-start-1 lg:justify-end-safe max-lg:px-4 max-lg:pt-2 ${actions ? '' : 'max-lg:hidden'}`}
      >
        {actions}
      </section>
      <main
        id="content"
        tabIndex={-1}
        className="relative min-w-0 grow px-4 py-3 outline-none lg:col-span-3 lg:row-start-2 lg:min-h-0 lg:overflow-y-auto lg:px-3 lg:py-2"
      >
        {children}
      </main>
      <FrameOverlays {...frame} />
    </div>
  )
}
