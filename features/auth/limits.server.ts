// Limits of attempts, and the keys by which they are counted.
//
// An attacker can name a phone or an email, so filling such a key must not lock out its owner. Three kinds of keys are used:
// - The network with the account: one attacker on one network fills only this key. Its windows grow, and the waiting time with them.
// - The account for all unknown browsers together: it limits an attacker with many networks. At 100 passwords and 50 codes a day an
//   attacker needs years for a password that passes `password-rules.ts`, and finds one code of a million in 20,000 days on average.
// - A browser that has signed in to the account before (`known-browser.server.ts`): it has attempts of its own.
// The network alone may be a whole mobile operator, so its limits are far above normal use [E7]. An IPv6 customer has a /64 and a
// provider's site a /48: the narrow keys count the first, the wide keys the second.
import { DAY_SECONDS as DAY, HOUR_SECONDS as HOUR } from '#lib/format/time.ts'
import { clientNetwork, clientSite } from '#lib/http/client-network.ts'
import type { CountedAttempt } from './attempts.server.ts'
import type { KnownBrowser } from './known-browser.server.ts'

const QUARTER = 900
const TWO_HOURS = 7200

type Window = [max: number, windowSeconds: number]

function windows(key: string, ...limits: Window[]): CountedAttempt[] {
  return limits.map(([max, windowSeconds]) => ({ key, limit: { max, windowSeconds } }))
}

/** The key of all SMS codes of a day. */
export const CODES_IN_ALL = 'codes-in-all'
/** Codes that an attacker makes the shop send cost money. The log reports the limit as an error. */
export const MAX_CODES_A_DAY = 5_000
/** The share of one site. */
const MAX_CODES_OF_A_SITE = MAX_CODES_A_DAY / 5

/** Wrong passwords for a phone or an email from an unknown browser. */
export function passwordTries(identifier: string, ip: string): CountedAttempt[] {
  return [
    ...windows(`sign-in:${clientNetwork(ip)}:${identifier}`, [10, QUARTER], [20, TWO_HOURS], [40, DAY]),
    ...windows(`sign-in-from:${clientSite(ip)}`, [300, QUARTER]),
    // Typed text must not make a key of a network.
    ...windows(`sign-in-to:${identifier}`, [15, QUARTER], [100, DAY]),
  ]
}

/** Wrong passwords for an account from a browser that it knows. */
export function knownPasswordTries({ userId, browserId }: KnownBrowser): CountedAttempt[] {
  return windows(`sign-in-known:${userId}:${browserId}`, [10, QUARTER], [50, DAY])
}

/**
 * Passwords for an account from one network or its known browsers, right ones too: hashing is expensive, and each opens a session. Counted
 * after the wrong ones, whose limits are lower: nobody without the password reaches these.
 */
export function passwordChecks(by: { identifier: string; ip: string } | KnownBrowser): CountedAttempt[] {
  const key = 'userId' in by ? `sign-in-known-all:${by.userId}` : `sign-in-all:${clientNetwork(by.ip)}:${by.identifier}`
  return windows(key, [60, QUARTER], [300, DAY])
}

/** Codes of an authenticator that a user enters to pass a full limit of passwords. Not counted by account, which an attacker could fill. */
export function factorFirstTries(identifier: string, ip: string): CountedAttempt[] {
  return [
    ...windows(`factor-first:${clientNetwork(ip)}:${identifier}`, [10, QUARTER], [40, DAY]),
    ...windows(`factor-first-from:${clientSite(ip)}`, [100, QUARTER]),
  ]
}

/** Codes sent to a number. The limit of all numbers comes last: an attempt that another limit rejects does not count in it. */
export function codesSent(phone: string, ip: string): CountedAttempt[] {
  return [
    ...windows(`code-to:${clientNetwork(ip)}:${phone}`, [3, QUARTER], [6, DAY]),
    ...windows(`code-to:${phone}`, [5, QUARTER], [10, DAY]),
    ...windows(`code-from:${clientSite(ip)}`, [300, HOUR], [MAX_CODES_OF_A_SITE, DAY]),
    ...windows(CODES_IN_ALL, [MAX_CODES_A_DAY, DAY]),
  ]
}

/** Codes sent to the number of an account that this browser knows. Each sign-in gives the browser a new id, so the account counts too. */
export function knownCodesSent({ userId, browserId }: KnownBrowser): CountedAttempt[] {
  return [...windows(`code-to-known:${userId}:${browserId}`, [3, QUARTER], [10, DAY]), ...windows(`code-to-known:${userId}`, [20, DAY])]
}

/** Wrong codes for a number. Ten codes a day with five attempts each are a further limit. */
export function wrongCodes(phone: string, ip: string): CountedAttempt[] {
  return [
    ...windows(`code-wrong:${clientNetwork(ip)}:${phone}`, [15, DAY]),
    ...windows(`code-wrong-from:${clientSite(ip)}`, [1_000, HOUR]),
    ...windows(`code-wrong:${phone}`, [50, DAY]),
  ]
}

/** Wrong codes in a browser that has signed in to the account. */
export function knownWrongCodes({ userId, browserId }: KnownBrowser): CountedAttempt[] {
  return windows(`code-wrong-known:${userId}:${browserId}`, [15, DAY])
}

/** Wrong codes of an account's second factor, with a key of its own for a known browser. Only a valid password leads here. */
export function wrongFactors(userId: number, known: KnownBrowser | null): CountedAttempt[] {
  return known === null
    ? windows(`second-factor:${userId}`, [30, DAY])
    : windows(`second-factor-known:${userId}:${known.browserId}`, [15, DAY])
}

/** Wrong passwords of a signed-in user who confirms a change. Other users cannot use it up. */
export function confirmTries(userId: number): CountedAttempt[] {
  return windows(`confirm:${userId}`, [10, QUARTER], [50, DAY])
}

/** The same with the right ones, which are hashed too. */
export function confirmChecks(userId: number): CountedAttempt[] {
  return windows(`confirm-all:${userId}`, [30, QUARTER], [100, DAY])
}

/** New passwords of a signed-in user. Each is hashed, which is expensive. */
export function passwordChanges(userId: number): CountedAttempt[] {
  return windows(`new-password:${userId}`, [10, HOUR])
}

/**
 * Wrong PINs of a user, by whichever way. A right one between them, as of the user who comes back to the locked session, does not begin the count
 * again. 30 guesses a day find a PIN of four digits in half a year on average.
 */
export function wrongPins(userId: number): CountedAttempt[] {
  return windows(`pin:${userId}`, [30, DAY])
}

/**
 * PINs that switch the session of a device to another cashier: by cashier and browser, by the session on the device, and by cashier. They are
 * of use only in a browser that the cashier has signed in to.
 */
export function pinSwitches({ userId, browserId }: KnownBrowser, sessionId: number): CountedAttempt[] {
  return [
    ...windows(`pin-switch:${userId}:${browserId}`, [5, QUARTER], [20, DAY]),
    ...windows(`pin-switch-from:${sessionId}`, [10, QUARTER], [40, DAY]),
    ...wrongPins(userId),
  ]
}
