import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Found } from '#features/admin-search/search-everything.server.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { useI18n } from '#page/page-context.tsx'
import { call } from '#page/api-client.ts'
import { ACCOUNT, navFor } from './nav.ts'
import { usePermissions } from './use-permissions.ts'
import { SearchIcon } from './icons.tsx'

interface Entry {
  group: 'pages' | Found['kind']
  href: string
  title: string
  detail: string
}

const WAIT_MS = 160

const HREFS = {
  order: (id: number) => `/admin/orders/update/${id}`,
  customer: (id: number) => `/admin/customers/${id}`,
  product: (id: number) => `/admin/products/${id}`,
} as const

/** Opens with Ctrl K or Cmd K, wherever one is. */
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

/** One field to go anywhere: pages of the admin, orders, customers, products. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useI18n()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal()
  }, [open])
  return (
    <dialog
      ref={dialog}
      aria-label={t('admin.find')}
      onClose={onClose}
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
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { entries, isSearching, hasFailed } = useEntries(typed)
  const option = `${id}-${at}`
  // Scrolling answers with a promise in some browsers, which an effect must not.
  useEffect(() => void document.getElementById(option)?.scrollIntoView({ block: 'nearest' }), [option])
  const go = (event: ReactKeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setAt((now) => Math.max(0, Math.min(entries.length - 1, now + (event.key === 'ArrowDown' ? 1 : -1))))
    }
    const chosen = entries[at]
    if (event.key === 'Enter' && chosen && !event.nativeEvent.isComposing) location.assign(chosen.href)
  }
  return (
    <div role="presentation" onKeyDown={go}>
      <div className="flex items-center gap-2 border-b border-line px-4">
        <SearchIcon className="shrink-0 text-stone" />
        <input
          className="min-h-13 w-full bg-transparent text-lg outline-none"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          placeholder={t('admin.find.hint')}
          aria-label={t('admin.find.label')}
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={entries[at] ? `${id}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
        />
      </div>
      <div
        id={`${id}-list`}
        role={entries.length > 0 ? 'listbox' : 'group'}
        aria-label={t('admin.find')}
        tabIndex={-1}
        className="max-h-[60vh] overflow-y-auto p-2"
      >
        {entries.map((entry, index) => (
          <div key={`${entry.href} ${entry.title}`} role="presentation">
            {entry.group === entries[index - 1]?.group ? null : (
              <p role="presentation" className="px-2.5 pt-2 pb-0.5 text-xs text-stone">
                {t(`admin.find.${entry.group}`)}
              </p>
            )}
            <a
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              href={entry.href}
              tabIndex={-1}
              onMouseMove={() => setAt(index)}
              className="flex min-h-11 items-center gap-3 rounded-card px-2.5 py-1 aria-selected:bg-leaf-100"
            >
              <span className="truncate font-semibold">{entry.title}</span>
              <span className="figures ms-auto shrink-0 text-sm text-stone">{entry.detail}</span>
            </a>
          </div>
        ))}
        {hasFailed ? (
          <p role="alert" className="px-2.5 py-3 text-terracotta">
            {t('admin.find.failed')}
          </p>
        ) : entries.length === 0 && !isSearching ? (
          <p className="px-2.5 py-3 text-stone">{t('admin.find.nothing')}</p>
        ) : null}
      </div>
    </div>
  )
}

/** PageRenderer whose names hold what is typed, and after a moment what the server finds. */
function useEntries(typed: string): { entries: Entry[]; isSearching: boolean; hasFailed: boolean } {
  const { t } = useI18n()
  const { role } = usePermissions()
  const [found, setFound] = useState<{ of: string; entries: Entry[]; hasFailed: boolean }>({ of: '', entries: [], hasFailed: false })
  const wanted = typed.trim()
  useEffect(() => {
    if (wanted.length < 2) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const answer = await call<{ found: Found[] }>(`/api/admin/find?q=${encodeURIComponent(wanted)}`, { signal: stop.signal })
      if (stop.signal.aborted) return
      const list = answer.ok ? answer.body.found : []
      const entries = list.map(({ kind, id, title, detail }) => ({ group: kind, href: HREFS[kind](id), title, detail }))
      setFound({ of: wanted, entries, hasFailed: !answer.ok })
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [wanted])
  const pages = navFor(role).flatMap(({ items }) =>
    items.map(({ href, key }): Entry => ({ group: 'pages', href, title: t(key as 'admin.nav' & MessageKey), detail: '' })),
  )
  pages.push({ group: 'pages', href: ACCOUNT, title: t('admin.account'), detail: t('admin.account-hint') })
  const named = pages.filter(({ title }) => title.toLowerCase().includes(wanted.toLowerCase()))
  const isKnown = wanted.length >= 2 && found.of === wanted
  return {
    entries: [...named, ...(isKnown ? found.entries : [])],
    isSearching: wanted.length >= 2 && !isKnown,
    hasFailed: isKnown && found.hasFailed,
  }
}
