import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'
import { INLINE_HASHES } from '../page/bootstrap-script.ts'

/**
 * The security headers of every response. Helmet computes them once: as a Fastify hook it costs 26 µs of CPU a request, as a constant
 * nothing. The content security policy depends on the page (`contentSecurityPolicy`).
 */
export function securityHeaders(secure: boolean): Record<string, string> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => {},
  } as unknown as ServerResponse
  const apply = helmet({
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: false,
    originAgentCluster: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: { action: 'deny' },
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  apply({} as IncomingMessage, response, (error) => {
    if (error) throw error
  })
  // Helmet has no setting for this header.
  return { ...headers, 'permissions-policy': permissionsPolicy() }
}

/** Which browser features a page may use. Serial and USB devices: the scale and the receipt printer of the POS. */
export function permissionsPolicy({ devices = false } = {}): string {
  const allowed = devices ? '(self)' : '()'
  return `geolocation=(), microphone=(), payment=(), serial=${allowed}, usb=${allowed}`
}

/** The hosts of Meta Pixel and GA4, for pages of shops that use them. */
const ANALYTICS_SOURCES = {
  script: ' https://connect.facebook.net https://www.googletagmanager.com',
  image: ' https://www.facebook.com https://*.google-analytics.com https://www.googletagmanager.com',
  connect: ' https://www.facebook.com https://*.google-analytics.com https://*.analytics.google.com https://www.googletagmanager.com',
}

/**
 * The policy of a page: scripts of this origin and the two inline ones by hash (`wasm` allows compiled code), style sheets of this origin
 * and the inlined one by hash, forms to this origin and the payment gateways. `cssHash` null: development, with Vite's inline code.
 */
export function contentSecurityPolicy(options: {
  cssHash: string | null
  formTargets: string[]
  imageHosts: string[]
  wasm?: boolean
  analytics?: boolean
}): string {
  const development = options.cssHash === null
  const measuring = options.analytics ? ANALYTICS_SOURCES : { script: '', image: '', connect: '' }
  const wasm = options.wasm ? " 'wasm-unsafe-eval'" : ''
  return [
    "default-src 'self'",
    development ? `script-src 'self' 'unsafe-inline'${wasm}` : `script-src 'self' ${INLINE_HASHES}${wasm}${measuring.script}`,
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' ${options.cssHash}`.trim(),
    "style-src-attr 'unsafe-inline'",
    `img-src ${["'self'", 'data:', 'https://i.ytimg.com', ...options.imageHosts].join(' ')}${measuring.image}`,
    "media-src 'self' https:",
    'frame-src https://www.youtube-nocookie.com',
    development ? "connect-src 'self' ws:" : `connect-src 'self'${measuring.connect}`,
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${["'self'", ...options.formTargets].join(' ')}`,
  ].join('; ')
}
