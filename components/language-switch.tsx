import { type FormEvent } from 'react'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { call } from '#page/api-client.ts'

/** Switches to the other language. A form, so that it works without script. */
export function LanguageSwitch({ label }: { label?: string }) {
  const { lang, t } = useI18n()
  const { path, csrfToken: token } = usePageContext()
  const other = lang === 'en' ? 'bn' : 'en'
  /** Stays at this entry of the history, so that Back leads to the page before. */
  const send = async (event: FormEvent) => {
    event.preventDefault()
    const next = location.pathname + location.search + location.hash
    const { body } = await call<{ next?: string }>('/language', { method: 'POST', body: { lang: other, next } })
    // The entry is no longer that of a rejected form, which a reload would send again.
    history.replaceState(history.state, '', body?.next)
    location.reload()
  }
  return (
    <form method="post" action="/language" onSubmit={send} aria-label={label ?? t('shell.language')}>
      <input type="hidden" name="lang" value={other} />
      <input type="hidden" name="next" value={path} />
      <input type="hidden" name="_token" value={token} />
      <button
        type="submit"
        lang={other}
        className="flex h-11 items-center rounded-card px-1.5 font-semibold min-[22rem]:px-2.5 text-leaf-800 hover:bg-leaf-100"
      >
        {other === 'bn' ? <BanglaWord /> : 'English'}
      </button>
    </form>
  )
}

/** The word as an SVG path (Hind Siliguri, semibold), so that an English page loads no Bengali font. */
function BanglaWord() {
  return (
    <>
      <span className="sr-only font-[sans-serif]">বাংলা</span>
      <svg viewBox="0 0 225 100" height="20" fill="currentColor" aria-hidden="true" focusable="false">
        <path d="M55 24H46V80H35V80L34 80L4 58V46Q18 34 35 30V24H-2V14H55ZM35 67V41Q23 45 14 52ZM82 24H73V80H61V30Q61 26 60 25Q59 24 55 24H51V14H57Q60 14 62 18Q61 12 61 8V6H73V14H82ZM89 41Q84 36 84 29Q84 22 89 18Q94 13 101 13Q109 13 114 18Q118 22 118 29Q118 36 114 41Q109 45 101 45Q94 45 89 41ZM108 29Q108 26 106 24Q105 22 101 22Q98 22 96 24Q95 26 95 29Q95 32 96 34Q98 36 101 36Q104 36 106 34Q108 32 108 29ZM85 59V47L121 69V80ZM191 80H179V50Q179 42 173 42Q166 42 166 52V54H154V52Q154 42 147 42Q144 42 142 45Q140 47 140 51Q140 56 142 58Q145 60 149 60Q151 60 154 60V70Q151 70 148 70Q139 70 134 65Q128 60 128 51Q128 43 133 38Q138 32 146 32Q152 32 156 35Q159 37 160 42Q161 37 164 35Q167 32 172 32Q177 32 179 36V24H122V14H201V24H191ZM227 24H218V80H206V30Q206 26 205 25Q204 24 200 24H197V14H202Q206 14 208 18Q207 12 207 8V6H218V14H227Z" />
      </svg>
    </>
  )
}
