/** A browser and a system as people know them; null where the text does not say. */
export interface DeviceName {
  browser: string | null
  system: string | null
}

// The first that fits counts: most browsers also name those they descend from.
const BROWSERS: [RegExp, string][] = [
  [/\bFB(AN|AV)\b/, 'Facebook'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bOPR\/|\bOpera\b|\bOPX\//, 'Opera'],
  [/\bUC ?Browser\//, 'UC Browser'],
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** What a browser says of itself, in two words. It may say anything: it is shown only to the person whose session it is. */
export function deviceName(userAgent: string): DeviceName {
  const find = (known: [RegExp, string][]) => known.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
  return { browser: find(BROWSERS), system: find(SYSTEMS) }
}
