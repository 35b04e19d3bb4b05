/** Texts of the consent banner; site/analytics loads them, and only in shops that measure visits. */
export const consent = {
  'consent.title': 'Cookies for advertising',
  'consent.text': 'May we use cookies of Google and Facebook to measure visits and advertising? The shop works the same without them.',
  'consent.server-reports': 'After an order, Facebook also gets your phone, email and name in hashed form.',
  'consent.accept': 'Accept',
  'consent.refuse': 'Refuse',
  'consent.close': 'Close',
  'consent.change': 'Cookie settings',
}
