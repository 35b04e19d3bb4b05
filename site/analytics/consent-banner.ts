// The consent banner and the button that opens it again. They stand after the page's own root, so React does not know of them.
import { consent as bn } from '#messages/bn/consent.ts'
import { consent as en } from '#messages/en/consent.ts'
import { type Consent, parseConsent, storedConsentText } from './consent-rules.ts'

const KEY = 'analyticsConsent'

interface ConsentTerms {
  /** The server reports purchases too. */
  serverReports: boolean
}

/** The answer of this browser on these terms; null before the first. */
export function storedConsent({ serverReports }: ConsentTerms): Consent | null {
  try {
    return parseConsent(localStorage.getItem(KEY), serverReports)
  } catch {
    return 'no' // Without storage the question would come on every page.
  }
}

/** Stores an answer. A full or closed storage has none afterwards: an earlier one must not outlive the new one, and the next page asks again. */
function store(text: string): void {
  try {
    localStorage.removeItem(KEY)
    localStorage.setItem(KEY, text)
  } catch {
    // The answer holds for this page.
  }
}

/**
 * Shows the banner unless it was answered, and a button below the page that shows it again. `decide` gets each answer. `serverReports`: the
 * banner says that the server reports purchases too.
 */
export function offerConsent({ serverReports }: ConsentTerms, decide: (consent: Consent) => void): void {
  const all = document.documentElement.lang === 'bn' ? bn : en
  const texts = serverReports ? { ...all, 'consent.text': `${all['consent.text']} ${all['consent.server-reports']}` } : all
  const answer = (consent: Consent) => {
    store(storedConsentText(consent, serverReports))
    decide(consent)
  }
  const again = element(
    'button',
    'display:block;margin:0 auto;padding:14px 16px;min-height:44px;font-size:14px;color:#5f5b50;text-decoration:underline',
    texts['consent.change'],
  )
  again.addEventListener('click', () => showBanner(texts, answer, again).focus())
  const bar = element('div', 'background:#f6f3ea;padding-bottom:env(safe-area-inset-bottom)')
  bar.append(again)
  document.body.append(bar)
  if (storedConsent({ serverReports }) === null) showBanner(texts, answer, null)
}

/** Adds the banner and returns it. It covers no more than the lower edge, and the page stays usable. `opener` gets the focus back. */
function showBanner(texts: typeof en, answer: (consent: Consent) => void, opener: HTMLElement | null): HTMLElement {
  document.getElementById('consent')?.remove()
  const banner = element(
    'section',
    'position:fixed;inset:auto 12px calc(12px + env(safe-area-inset-bottom));z-index:60;max-width:520px;margin:0 auto;padding:16px;border-radius:12px;background:#fff;color:#1d1d1b;box-shadow:0 6px 28px rgb(0 0 0/.28)',
  )
  Object.assign(banner, { id: 'consent', tabIndex: -1 })
  const title = element('h2', 'margin:0 40px 6px 0;font-size:17px;font-weight:600', texts['consent.title'])
  title.id = 'consent-title'
  banner.setAttribute('aria-labelledby', title.id)
  const end = (consent: Consent | null) => {
    banner.remove()
    opener?.focus()
    if (consent) answer(consent)
  }
  const buttons = element('div', 'display:flex;gap:10px;margin-top:14px')
  buttons.append(
    choice(texts['consent.refuse'], () => end('no')),
    choice(texts['consent.accept'], () => end('yes')),
  )
  const close = element('button', 'position:absolute;inset:6px 6px auto auto;width:44px;height:44px;font-size:22px', '×')
  close.setAttribute('aria-label', texts['consent.close'])
  close.addEventListener('click', () => end(null))
  banner.addEventListener('keydown', ({ key }) => key === 'Escape' && end(null))
  banner.append(title, element('p', 'margin:0;font-size:15px;line-height:1.5', texts['consent.text']), buttons, close)
  document.body.append(banner)
  return banner
}

/** Both answers look the same: neither is suggested. */
function choice(text: string, choose: () => void): HTMLElement {
  const button = element(
    'button',
    'flex:1;min-height:44px;border:1px solid #16452c;border-radius:8px;background:#fff;color:#16452c;font-size:16px;font-weight:600;cursor:pointer',
    text,
  )
  button.addEventListener('click', choose)
  return button
}

function element(tag: string, style: string, text = ''): HTMLElement {
  const made = document.createElement(tag)
  made.style.cssText = style
  made.textContent = text
  if (tag === 'button') made.setAttribute('type', 'button')
  return made
}
