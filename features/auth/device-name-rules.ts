/** The browser and system in a user agent, by their common names; null where unknown. */
export interface DeviceName {
  browser: string | null
  system: string | null
}

// The first match counts: most browsers also name their ancestors.
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

/** The browser and system in two words. A user agent may contain anything, so it is shown to nobody. */
export function deviceName(userAgent: string): DeviceName {
  const find = (known: [RegExp, string][]) => known.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
  return { browser: find(BROWSERS), system: find(SYSTEMS) }
}

/** The name of a device; `both` is the text for one whose browser and system are known. Null: neither is. */
export function deviceLabel({ browser, system }: DeviceName, both: (known: { browser: string; system: string }) => string): string | null {
  return browser && system ? both({ browser, system }) : (browser ?? system)
}
