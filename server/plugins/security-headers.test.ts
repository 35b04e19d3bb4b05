import { expect, it } from 'vitest'
import { permissionsPolicy, securityHeaders } from './security-headers.ts'

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'geolocation=(), microphone=(), payment=(), serial=(), usb=()',
}

it('sends exactly these headers over http', () => {
  expect(securityHeaders(false)).toEqual(ALWAYS)
})

it('adds HSTS over https', () => {
  expect(securityHeaders(true)).toEqual({ ...ALWAYS, 'strict-transport-security': 'max-age=31536000; includeSubDomains' })
})

it('lets pages with devices use serial and USB ports, and no other page', () => {
  expect(permissionsPolicy({ devices: true })).toBe('geolocation=(), microphone=(), payment=(), serial=(self), usb=(self)')
  expect(permissionsPolicy()).toBe(ALWAYS['permissions-policy'])
})
