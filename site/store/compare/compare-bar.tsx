import '#messages/compare.ts'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ButtonLink } from '#components/button.tsx'
import { CloseIcon } from '#components/icons.tsx'
import { comparePath, MAX_COMPARED, toggledCompared } from '#features/catalog/compare-rules.ts'
import { translate } from '#lib/i18n/translate.ts'
import { COMPARED_KEY } from './compare-key.ts'
import { readCompared, writeCompared } from './compare-store.ts'

// The bar of the compared animals is outside of the page's React tree, so that lists need no code for it until an animal is chosen.

const t = translate(document.documentElement.lang === 'bn' ? 'bn' : 'en')
const listeners = new Set<(isFull: boolean) => void>()

/** Adds the animal or removes it; a fourth one is refused with a message. */
export function toggle(id: number): void {
  const next = toggledCompared(readCompared(), id)
  if (next) writeCompared(next)
  changed(next === null)
}

function changed(isFull = false): void {
  markLinks()
  for (const listener of listeners) listener(isFull)
}

/** With this script the links are toggle buttons. Lists render new ones as they change. */
function markLinks(): void {
  const ids = readCompared()
  for (const link of document.querySelectorAll<HTMLElement>('[data-compare]')) {
    link.setAttribute('role', 'button')
    link.setAttribute('aria-pressed', String(ids.includes(Number(link.dataset.compare))))
  }
}

function CompareBar() {
  const [{ ids, isFull }, setState] = useState({ ids: readCompared(), isFull: false })
  useEffect(() => {
    const listener = (full: boolean) => setState({ ids: readCompared(), isFull: full })
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [])
  const clear = () => {
    writeCompared([])
    changed()
  }
  const words = isFull ? t('compare.full') : t('compare.chosen', { count: ids.length, max: MAX_COMPARED })
  return (
    <section
      aria-label={t('compare.title')}
      className={ids.length === 0 ? 'sr-only' : 'fixed inset-x-0 z-20 mx-auto w-fit max-w-full px-2'}
      style={{ bottom: `${8 + barHeight()}px` }}
    >
      <div className="flex items-center gap-3 rounded-card border border-line bg-white py-1.5 ps-4 pe-1.5 shadow-lg">
        <p role="status" className="min-w-0 text-sm font-semibold">
          {ids.length === 0 ? '' : words}
        </p>
        {ids.length === 0 ? null : (
          <>
            <ButtonLink href={comparePath(ids)}>{t('catalog.compare')}</ButtonLink>
            <button
              type="button"
              aria-label={t('compare.clear')}
              onClick={clear}
              className="grid size-11 shrink-0 place-items-center rounded-card hover:bg-leaf-100"
            >
              <CloseIcon size={18} />
            </button>
          </>
        )}
      </div>
    </section>
  )
}

/** The height of what is fixed at the bottom of a phone: the page's action or the sections. */
function barHeight(): number {
  const bars = document.querySelectorAll<HTMLElement>('#app .sticky.bottom-0')
  return Math.max(0, ...Array.from(bars, (bar) => bar.offsetHeight))
}

function start(): void {
  const mount = document.body.appendChild(document.createElement('div'))
  createRoot(mount).render(<CompareBar />)
  markLinks()
  new MutationObserver(markLinks).observe(document.getElementById('app')!, { childList: true, subtree: true })
  addEventListener('storage', ({ key }) => {
    if (key === COMPARED_KEY || key === null) changed()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== ' ' || !(event.target instanceof HTMLElement) || !event.target.dataset.compare) return
    event.preventDefault()
    toggle(Number(event.target.dataset.compare))
  })
}

start()
