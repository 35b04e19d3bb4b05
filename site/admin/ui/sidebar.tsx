import { canLock } from '#features/auth/lock-rules.ts'
import { lockNow } from '../lock/lock-now.ts'
import { useEffect, useRef } from 'react'
import { ShopBrand } from '#components/logo.tsx'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { clearDevice } from '../lock/clear-device.ts'
import { CloseIcon, DownIcon, KeyboardIcon, LockIcon, ShopIcon } from './icons.tsx'
import { NewsCount } from '../news/news-count.tsx'
import { ACCOUNT, currentArea, navFor } from './nav.ts'
import { usePermissions } from './use-permissions.ts'

/** The sidebar of wide screens. */
export function Sidebar({ onKeys }: { onKeys: () => void }) {
  const { t } = useI18n()
  const sidebar = useRef<HTMLElement>(null)
  // On a low screen the menu scrolls, and it alone; the current page stays in sight.
  useEffect(() => {
    const current = sidebar.current?.querySelector('[aria-current]')
    const menu = current?.closest('nav')
    if (menu) menu.scrollTop += Math.max(0, current!.getBoundingClientRect().bottom - menu.getBoundingClientRect().bottom)
  }, [])
  return (
    <aside
      ref={sidebar}
      aria-label={t('admin.name')}
      className="admin-sidebar sticky top-0 flex h-dvh flex-col bg-leaf-800 text-leaf-100 max-lg:hidden"
    >
      <Brand />
      <Areas />
      <Footer onKeys={onKeys} />
    </aside>
  )
}

/**
 * The sidebar of phones, in a dialog. Its menu is rendered on opening: it would be a sixth of every page. Logo and name are there before,
 * because only the server renders them.
 */
export function Drawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useI18n()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal()
  }, [open])
  return (
    <dialog
      ref={dialog}
      aria-label={t('admin.menu')}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) event.currentTarget.close()
      }}
      className="m-0 h-dvh max-h-none w-72 max-w-[85vw] flex-col bg-leaf-800 p-0 text-leaf-100 open:flex"
    >
      {open ? (
        <button
          type="button"
          aria-label={t('admin.menu-close')}
          className="absolute end-1 top-2 grid size-11 place-items-center rounded-card hover:bg-leaf-700"
          onClick={() => dialog.current?.close()}
        >
          <CloseIcon />
        </button>
      ) : null}
      <Brand className="pe-14" />
      {open ? (
        <>
          <Areas />
          <Footer />
        </>
      ) : null}
    </dialog>
  )
}

function Areas() {
  const { t } = useI18n()
  const { path } = usePageContext()
  const { role } = usePermissions()
  const groups = navFor(role)
  const here = currentArea(groups, path)
  const list = groups.map(({ key, isFolded, items }) => {
    const title = key === null ? null : t(key as 'admin.nav' & MessageKey)
    const links = items.map(({ href, key: name, Icon }) => (
      <a key={href} href={href} aria-current={href === here?.href ? 'page' : undefined} className="sidebar-link">
        <Icon size={18} className="shrink-0" />
        {t(name as 'admin.nav' & MessageKey)}
        <NewsCount hrefs={[href]} />
      </a>
    ))
    if (isFolded)
      return (
        <details key={key} open={items.some(({ href }) => href === here?.href)} className="group mt-1">
          <summary className="sidebar-link">
            <span className="grow">{title}</span>
            <NewsCount hrefs={items.map(({ href }) => href)} className="group-open:hidden" />
            <DownIcon size={16} className="shrink-0" />
          </summary>
          {links}
        </details>
      )
    return (
      <div key={key ?? 'first'} className="mt-1 first:mt-0">
        {title === null ? null : <p className="px-2.5 pt-1 text-xs text-leaf-100/80">{title}</p>}
        {links}
      </div>
    )
  })
  return (
    <nav aria-label={t('admin.nav')} className="min-h-0 grow overflow-y-auto px-2 pb-2 text-[0.9375rem]">
      {list}
    </nav>
  )
}

function Brand({ className = '' }: { className?: string }) {
  return (
    <a href="/admin" className={`flex items-center gap-2.5 px-4 py-2 text-xl font-semibold text-white ${className}`}>
      <ShopBrand size={32} nameClass="pt-0.5" />
      <Version />
    </a>
  )
}

function Footer({ onKeys }: { onKeys?: () => void }) {
  const { t } = useI18n()
  const { user, csrfToken } = usePageContext()
  const { role } = usePermissions()
  return (
    <div className="border-t border-leaf-700 px-4 py-1 text-sm">
      <div className="flex items-center">
        <a href={ACCOUNT} title={t('admin.account-hint')} className="-ms-2 block min-w-0 grow rounded-card px-2 py-0.5 hover:bg-leaf-700">
          <span className="block truncate font-semibold text-white">{user?.name}</span>
          <span className="block text-leaf-100/80">
            {role === 'customer' ? null : `${t(`admin.role.${role}`)} · `}
            <span className="underline underline-offset-2">{t('admin.account')}</span>
          </span>
        </a>
        <span className="-me-2 flex shrink-0">
          {canLock(role) ? (
            <button
              type="button"
              aria-label={t('lock.lock')}
              title={t('lock.lock')}
              className="grid size-9 shrink-0 pointer-coarse:size-11 place-items-center rounded-card hover:bg-leaf-700"
              onClick={() => void lockNow()}
            >
              <LockIcon size={17} />
            </button>
          ) : null}
          {onKeys ? (
            <button
              type="button"
              aria-label={t('admin.keys')}
              title="?"
              className="grid size-9 shrink-0 pointer-coarse:size-11 place-items-center rounded-card hover:bg-leaf-700"
              onClick={onKeys}
            >
              <KeyboardIcon size={18} />
            </button>
          ) : null}
        </span>
      </div>
      <div className="-mx-2 flex flex-wrap items-center">
        <a
          href="/"
          className="flex min-h-9 pointer-coarse:min-h-11 items-center gap-1.5 rounded-card px-2 whitespace-nowrap hover:bg-leaf-700"
        >
          <ShopIcon size={17} />
          {t('admin.to-shop')}
        </a>
        <form method="post" action="/logout" onSubmit={clearDevice}>
          <input type="hidden" name="_token" value={csrfToken} />
          <button type="submit" className="min-h-9 pointer-coarse:min-h-11 rounded-card px-2 whitespace-nowrap hover:bg-leaf-700">
            {t('shell.logout')}
          </button>
        </form>
      </div>
    </div>
  )
}

/** Set by the build (vite.config.ts). */
declare const SHOP_VERSION: string | undefined

function Version() {
  const { t } = useI18n()
  if (typeof SHOP_VERSION === 'undefined') return null
  return (
    <span title={t('admin.version')} className="ms-auto self-end text-xs leading-none font-normal text-leaf-100/80">
      {SHOP_VERSION}
    </span>
  )
}
