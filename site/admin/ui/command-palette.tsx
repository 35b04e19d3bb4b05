import { Command } from 'cmdk'
import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Found } from '#features/admin-search/search-everything.server.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { useI18n } from '#page/page-context.tsx'
import { call } from '#page/api-client.ts'
import { MAX_SEARCH_LENGTH } from '#lib/format/search-term.ts'
import { ACCOUNT, navFor } from './nav.ts'
import { usePermissions } from './use-permissions.ts'
import { SearchIcon } from './icons.tsx'

interface Entry {
  group: 'pages' | Found['kind']
  href: string
  title: string
  detail: string
}

const GROUPS = ['pages', 'order', 'customer', 'product'] as const satisfies Entry['group'][]
const WAIT_MS = 160

const HREFS = {
  order: (id: number) => `/admin/orders/update/${id}`,
  customer: (id: number) => `/admin/customers/${id}`,
  product: (id: number) => `/admin/products/${id}`,
} as const

/** Calls `open` for Ctrl K or Cmd K anywhere on the page. */
export function usePaletteKey(open: () => void): void {
  const latest = useRef(open)
  useEffect(() => void (latest.current = open))
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

/** The command palette: opens pages of the admin, orders, customers and products by name. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useI18n()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (!open) return dialog.current?.close()
    if (dialog.current?.open) return
    dialog.current?.showModal()
    // The browser would focus the first focusable element, which is the container of the list.
    dialog.current?.querySelector('input')?.focus()
  }, [open])
  return (
    <dialog
      ref={dialog}
      aria-label={t('admin.find')}
      // The event of a close comes later, so a press of Ctrl K may be before it.
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={(event) => {
        if (!event.currentTarget.open) onClose()
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) event.currentTarget.close()
      }}
      className="mx-auto mt-[10vh] mb-auto w-[min(94vw,36rem)] rounded-card bg-milk p-0 shadow-soft"
    >
      {open ? <Finder /> : null}
    </dialog>
  )
}

function Finder() {
  const { t } = useI18n()
  const [typed, setTyped] = useState('')
  const { entries, isSearching, hasFailed } = useEntries(typed)
  const isNothing = entries.length === 0 && !isSearching && !hasFailed
  return (
    // The server searches orders, customers and products, so that the list is filtered already.
    <Command shouldFilter={false} vimBindings={false} label={t('admin.find.label')} onKeyDown={openSelected}>
      <div className="flex items-center gap-2 border-b border-line px-4">
        <SearchIcon className="shrink-0 text-stone" />
        <Command.Input
          className="min-h-13 w-full bg-transparent text-lg outline-none"
          value={typed}
          onValueChange={setTyped}
          placeholder={t('admin.find.hint')}
          maxLength={MAX_SEARCH_LENGTH}
        />
      </div>
      <Command.List label={t('admin.find')} className={entries.length > 0 ? 'max-h-[60vh] overflow-y-auto p-2' : ''}>
        {GROUPS.map((group) => {
          const items = entries.filter((entry) => entry.group === group)
          const heading = <span className="block px-2.5 pt-2 pb-0.5 text-xs text-stone">{t(`admin.find.${group}`)}</span>
          return items.length > 0 ? (
            <Command.Group key={group} heading={heading}>
              {items.map((entry) => (
                <PaletteEntry key={`${entry.href} ${entry.title}`} entry={entry} />
              ))}
            </Command.Group>
          ) : null
        })}
      </Command.List>
      {hasFailed ? (
        <p role="alert" className="px-4.5 py-5 text-terracotta">
          {t('admin.find.failed')}
        </p>
      ) : null}
      <p role="status" className={isNothing ? 'px-4.5 py-5 text-stone' : 'sr-only'}>
        {isNothing ? t('admin.find.nothing') : ''}
      </p>
    </Command>
  )
}

/** A link, so that it can be opened in another tab too. */
function PaletteEntry({ entry: { href, title, detail } }: { entry: Entry }) {
  return (
    <Command.Item asChild value={`${href} ${title}`}>
      <a href={href} tabIndex={-1} className="flex min-h-11 items-center gap-3 rounded-card px-2.5 py-1 aria-selected:bg-leaf-100">
        <span className="truncate font-semibold">{title}</span>
        <span className="tabular-nums ms-auto shrink-0 text-sm text-stone">{detail}</span>
      </a>
    </Command.Item>
  )
}

/** Enter follows the link of the selected entry. */
function openSelected(event: ReactKeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.querySelector<HTMLElement>('[role=option][aria-selected=true]')?.click()
}

/** The admin's pages whose names contain the typed text, and, debounced, the rows that the server finds. */
function useEntries(typed: string): { entries: Entry[]; isSearching: boolean; hasFailed: boolean } {
  const { t } = useI18n()
  const { role } = usePermissions()
  const [found, setFound] = useState<{ of: string; entries: Entry[]; hasFailed: boolean }>({ of: '', entries: [], hasFailed: false })
  const query = typed.trim()
  useEffect(() => {
    if (query.length < 2) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const answer = await call<{ found: Found[] }>(`/api/admin/find?q=${encodeURIComponent(query)}`, { signal: stop.signal })
      if (stop.signal.aborted) return
      const list = answer.ok ? answer.body.found : []
      const entries = list.map(({ kind, id, title, detail }) => ({ group: kind, href: HREFS[kind](id), title, detail }))
      setFound({ of: query, entries, hasFailed: !answer.ok })
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [query])
  const pages = navFor(role).flatMap(({ items }) =>
    items.map(({ href, key }): Entry => ({ group: 'pages', href, title: t(key as 'admin.nav' & MessageKey), detail: '' })),
  )
  pages.push({ group: 'pages', href: ACCOUNT, title: t('admin.account'), detail: t('admin.account-hint') })
  const named = pages.filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()))
  const isKnown = query.length >= 2 && found.of === query
  return {
    entries: [...named, ...(isKnown ? found.entries : [])],
    isSearching: query.length >= 2 && !isKnown,
    hasFailed: isKnown && found.hasFailed,
  }
}
