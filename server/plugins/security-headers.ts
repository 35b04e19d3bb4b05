import { INLINE_HASHES } from '../page/bootstrap-script.ts'

/** Headers of every answer: what browsers may do with the shop's pages. */
export function securityHeaders(secure: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'geolocation=(), microphone=(), payment=(), usb=()',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}

/** Policy of a page: own scripts only (`wasm`: compiled ones too), own style sheets and the inlined one by its hash, forms to the shop and its gateways. */
export function contentSecurityPolicy(options: { cssHash: string | null; formTargets: string[]; wasm?: boolean }): string {
  const development = options.cssHash === null
  const wasm = options.wasm ? " 'wasm-unsafe-eval'" : ''
  return [
    "default-src 'self'",
    development ? `script-src 'self' 'unsafe-inline'${wasm}` : `script-src 'self' ${INLINE_HASHES}${wasm}`,
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' ${options.cssHash}`.trim(),
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: https://i.ytimg.com",
    "media-src 'self' https:",
    'frame-src https://www.youtube-nocookie.com',
    development ? "connect-src 'self' ws:" : "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${["'self'", ...options.formTargets].join(' ')}`,
  ].join('; ')
}
