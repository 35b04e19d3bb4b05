import { MAX_SEARCH_LENGTH } from '#lib/format/search-term.ts'
import { type KeyboardEvent, useState } from 'react'
import { SearchIcon } from '#components/icons.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { CameraIcon } from '../admin/ui/icons.tsx'
import { Added, Spoken } from './spoken.tsx'
import { CameraDialog } from './camera-dialog.tsx'
import { ScanResults } from './scan-results.tsx'
import { type ScanBoxOptions, useScanBox } from './use-scan-box.ts'

const RING = { accepted: 'ring-4 ring-leaf-600', rejected: 'ring-4 ring-terracotta' }

/** One input for typing and scanning: typed text opens a list, a scan ends with Enter and is added immediately. */
export function ScanBox(options: ScanBoxOptions) {
  const { t } = useI18n()
  const scanBox = useScanBox(options)
  const { keys, text, active, setActive, found, lock, flash, choose, clear, enter, scan } = scanBox
  const [isCameraOn, setCamera] = useState(false)

  function press(event: KeyboardEvent) {
    const last = (found?.length ?? 0) - 1
    if (event.key === 'ArrowDown') setActive(Math.min(active + 1, last))
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, -1))
    else if (event.key === 'Escape') clear()
    else if (event.key === 'Enter') {
      // Keys that the box does not show yet are newer than the choice.
      const chosen = keys.isShown ? found?.[active] : undefined
      if (chosen) choose(chosen)
      else void enter(event.timeStamp)
    } else return
    event.preventDefault()
  }

  return (
    // Sticky, so that it stays visible over a long sale.
    <div className="sticky top-[3.3rem] z-10 -mx-1 bg-paper px-1 lg:top-0 lg:pt-1">
      <label htmlFor="pos-search" className="mb-1 flex items-center justify-between gap-2 font-semibold">
        {t('pos.search')}
        <kbd className="kbd max-lg:hidden">F2</kbd>
      </label>
      <div className={`relative rounded-card ${flash ? RING[flash] : ''}`}>
        <SearchIcon size={22} className="pointer-events-none absolute start-3 top-1/2 -translate-y-1/2 text-stone" />
        <input
          ref={options.box}
          id="pos-search"
          type="search"
          role="combobox"
          aria-expanded={found !== null}
          aria-controls="pos-found"
          aria-activedescendant={active >= 0 ? `pos-found-${active}` : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_SEARCH_LENGTH}
          readOnly={lock.isLockShown}
          placeholder={t('pos.search-hint')}
          className="min-h-14 w-full rounded-card border-2 border-leaf-600 bg-white ps-11 pe-14 text-lg read-only:bg-sand lg:pe-4"
          value={text}
          onChange={(event) => scanBox.type(event.target.value)}
          onKeyDown={press}
        />
        <button
          type="button"
          aria-label={t('pos.camera')}
          title={t('pos.camera')}
          className="absolute end-1.5 top-1/2 grid size-11 -translate-y-1/2 place-items-center rounded-card text-leaf-800 hover:bg-leaf-100 lg:hidden"
          onClick={() => {
            scanBox.clearFeedback()
            setCamera(true)
          }}
        >
          <CameraIcon size={24} />
        </button>
      </div>
      {isCameraOn ? (
        <CameraDialog feedback={scanBox.feedback} onCode={(code) => void scan(code, performance.now())} onClose={() => setCamera(false)} />
      ) : null}
      <ScanStatus {...scanBox} />
      <ScanResults found={found} text={text} active={active} onChoose={choose} onKeyDown={press} />
    </div>
  )
}

/**
 * Rejected scans first, then the weight of a scale label, the scan lock, and a running search. Screen readers are told what was added instead
 * of the last two.
 */
function ScanStatus({ lock, weighed, isSearching, found, feedback }: ReturnType<typeof useScanBox>) {
  const { t, lang } = useI18n()
  const spoken = lock.rejectedCount > 0 ? t('pos.too-quick', { count: localizeDigits(lang, String(lock.rejectedCount)) }) : weighed
  const silent = lock.isLockShown ? t('pos.locked') : isSearching ? t('pos.searching') : ''
  return (
    <>
      <p role="status" className={`mt-1 min-h-6 ${lock.rejectedCount > 0 ? 'font-semibold text-terracotta' : 'text-sm text-stone'}`}>
        {spoken || <span aria-hidden="true">{silent}</span>}
      </p>
      <Spoken>{found?.length === 0 ? t('pos.nothing-found') : feedback?.text === weighed ? null : <Added feedback={feedback} />}</Spoken>
    </>
  )
}
