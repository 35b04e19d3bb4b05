import { CloseIcon } from '#components/icons.tsx'
import { useI18n, usePageContext } from '#page/page-context.tsx'

const NOTICE = 'notice items-center'

/**
 * The notices above every page, one at a time, in one line. A long one fades at its end, and is pushed along. server/page/bootstrap-script.ts closes them and
 * remembers which: an announcement by its text, so that the next one shows again. That the shop is closed stays.
 */
export function Notices() {
  const { t } = useI18n()
  const { demo, announcement, isClosed } = usePageContext()
  if (!demo && !announcement) return null
  return (
    <aside aria-label={t('shell.notices')}>
      {announcement ? (
        <Notice id={isClosed ? null : idOf(announcement)} text={announcement} className={`${NOTICE} bg-tag-100 text-ink`} />
      ) : null}
      {demo ? <Notice id="demo" text={t('shell.demo')} className={`${NOTICE} bg-ink text-paper`} /> : null}
    </aside>
  )
}

function Notice({ id, text, className }: { id: string | null; text: string; className: string }) {
  const { t } = useI18n()
  return (
    <div data-notice={id} className={className}>
      <p
        tabIndex={0}
        className="min-w-0 grow overflow-x-auto whitespace-nowrap ps-4 pe-8 [mask-image:linear-gradient(to_left,transparent,#000_2rem)] [scrollbar-width:none] sm:text-center"
      >
        {text}
      </p>
      {id === null ? null : (
        <button type="button" data-closes={id} aria-label={t('shell.close-notice')} className="needs-script notice-close">
          <CloseIcon size={14} />
        </button>
      )}
    </div>
  )
}

/** A short hash (FNV-1a), without a character that CSS reads otherwise. */
function idOf(text: string): string {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(36)
}
