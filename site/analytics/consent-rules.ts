// The answer to the consent banner, as the browser stores it. An answer counts for what the banner said: one that did not name the reports of
// the server, which have phone, email and name, is none once the shop sends them.

export type Consent = 'yes' | 'no'

const WITH_SERVER_REPORTS = 'yes-server'

/** Parses a stored answer; null when the visitor has to be asked. */
export function parseConsent(stored: string | null, serverReports: boolean): Consent | null {
  if (stored === WITH_SERVER_REPORTS) return 'yes'
  return stored === 'no' || (stored === 'yes' && !serverReports) ? stored : null
}

/** The text to store for an answer. */
export function storedConsentText(consent: Consent, serverReports: boolean): string {
  return consent === 'yes' && serverReports ? WITH_SERVER_REPORTS : consent
}
