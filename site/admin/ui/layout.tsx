import '../admin.css'
import type { ReactNode } from 'react'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { LanguageSwitch } from '#components/language-switch.tsx'
import { FrameOverlays, SkipLink, useFrame } from './frame.tsx'
import { NewsBell } from '../news/news-bell.tsx'
import { LeftIcon, MenuIcon, SearchIcon } from './icons.tsx'
import { useListUrl, useStoredList } from './list-url.ts'
import { Sidebar } from './sidebar.tsx'

interface AdminLayoutProps {
  title: ReactNode
  /** Beside the title: a state, a count. */
  note?: ReactNode
  /** The parent page, usually a list. */
  back?: { href: string; label: string }
  /** Actions of the page; at most one is primary. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of every admin page: sidebar, title, palette, toasts. */
export function AdminLayout({ title, note, back, actions, children }: AdminLayoutProps) {
  const { t } = useI18n()
  const { demo, isClosed } = usePageContext()
  useStoredList(!back)
  const frame = useFrame()
  const { setOpen } = frame
  return (
    <div className="lg:grid lg:min-h-dvh lg:grid-cols-[14.5rem_minmax(0,1fr)]">
      <SkipLink />
      <Sidebar onKeys={() => setOpen('keys')} />
      <div className="flex min-h-dvh min-w-0 flex-col">
        <header className="admin-top sticky top-0 z-20 flex items-center gap-1 border-b border-line bg-milk px-2 py-1 lg:static lg:px-6">
          <button
            type="button"
            aria-label={t('admin.menu')}
            className="grid size-11 place-items-center rounded-card hover:bg-leaf-100 lg:hidden"
            onClick={() => setOpen('menu')}
          >
            <MenuIcon />
          </button>
          <button
            type="button"
            className="flex min-h-11 min-w-0 grow items-center gap-2 rounded-card px-2 text-start text-sm text-stone hover:bg-leaf-100 lg:max-w-md"
            onClick={() => setOpen('palette')}
          >
            <SearchIcon size={18} className="shrink-0" />
            <span className="truncate">{t('admin.find.hint')}</span>
            <span className="kbd ms-auto max-lg:hidden">Ctrl K</span>
          </button>
          <span className="ms-auto flex items-center gap-2">
            {demo ? <span className="chip chip-tag max-sm:hidden">{t('admin.demo')}</span> : null}
            <NewsBell />
            <LanguageSwitch />
          </span>
        </header>
        {isClosed ? <ClosedBar /> : null}
        <main id="content" tabIndex={-1} className="w-full max-w-[90rem] grow px-4 py-4 outline-none lg:px-6 lg:py-5">
          {back ? <BackLink {...back} /> : null}
          <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
            <h1 className="text-2xl">{title}</h1>
            {note}
            {actions ? <div className="ms-auto flex flex-wrap items-center gap-2">{actions}</div> : null}
          </div>
          {children}
        </main>
      </div>
      <FrameOverlays {...frame} />
    </div>
  )
}

/** The way back to the set-up, on every page until the shop is open. */
function ClosedBar() {
  const { t } = useI18n()
  const { user, path } = usePageContext()
  return (
    <p className="flex flex-wrap items-center gap-x-3 bg-indigo px-4 text-sm text-paper lg:px-6">
      <span className="py-1">{t('setup.closed-bar')}</span>
      {user?.role === 'owner' && path.split('?')[0] !== '/admin/setup' ? (
        <a
          href="/admin/setup"
          className="inline-flex min-h-9 pointer-coarse:min-h-11 items-center font-semibold underline underline-offset-4"
        >
          {t('setup.continue')}
        </a>
      ) : null}
    </p>
  )
}

/** Opens the list with the filters and the page it had. */
function BackLink({ href, label }: { href: string; label: string }) {
  return (
    <a
      href={useListUrl(href)}
      className="-ms-1 mb-1 inline-flex min-h-9 pointer-coarse:min-h-11 max-w-full items-center gap-1 rounded-card pe-2 text-sm font-semibold text-leaf-600 hover:underline"
    >
      <LeftIcon size={16} className="shrink-0" />
      <span className="truncate">{label}</span>
    </a>
  )
}
