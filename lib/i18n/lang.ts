/** The two languages of the shop. */
export type Lang = 'en' | 'bn'

export const LANGS: readonly Lang[] = ['en', 'bn']

/** Whether a value is one of the languages. */
export function isLang(value: unknown): value is Lang {
  return value === 'en' || value === 'bn'
}

/** The language of a response: the cookie, else the preference of the browser, else English. */
export function langFromRequest(request: { cookie?: string | null; acceptLanguage?: string | null }): Lang {
  if (isLang(request.cookie)) return request.cookie
  return preferredLang(request.acceptLanguage ?? '') ?? 'en'
}

function preferredLang(acceptLanguage: string): Lang | null {
  let best: Lang | null = null
  let bestWeight = 0
  for (const entry of acceptLanguage.slice(0, 500).split(',')) {
    const [tag = '', ...params] = entry.trim().toLowerCase().split(';')
    const lang = tag.split('-')[0]
    const weight = weightOf(params)
    if (isLang(lang) && weight > bestWeight) [best, bestWeight] = [lang, weight]
  }
  return best
}

function weightOf(params: string[]): number {
  const quality = params.map((param) => param.trim()).find((param) => param.startsWith('q='))
  if (quality === undefined) return 1
  const weight = Number(quality.slice(2))
  return weight >= 0 && weight <= 1 ? weight : 0
}
