// Parameters that advertisers, social networks and newsletters add to a link; scripts of the page read them from the browser's address.
const TRACKING =
  /[?&](?:fbclid|gclid|gbraid|wbraid|dclid|gad_source|gad_campaignid|msclkid|ttclid|twclid|igshid|igsh|mc_cid|mc_eid|utm_[a-z_]+)=[^&]*/g

/** The address of a request without parameters for tracking: each click has its own, and all clicks get one cached page. */
export function withoutTracking(url: string): string {
  const at = url.indexOf('?')
  if (at === -1) return url
  const query = url.slice(at).replace(TRACKING, '')
  return url.slice(0, at) + (query === '' ? '' : `?${query.slice(1)}`)
}
