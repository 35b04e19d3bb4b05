import { describe, expect, it } from 'vitest'
import { clientNetwork, clientSite } from './client-network.ts'

describe('the network that a rate limit counts', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:1::1', '2001:db8:1:1::/64', '2001:db8:1::/48'],
    ['2001:db8:1:1::2', '2001:db8:1:1::/64', '2001:db8:1::/48'],
    ['2001:0DB8:0001:0001:ffff:ffff:ffff:ffff', '2001:db8:1:1::/64', '2001:db8:1::/48'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7'],
    ['not an address', 'not an address', 'not an address'],
    ['', '', ''],
  ])('%s belongs to %s and %s', (address, network, site) => {
    expect([clientNetwork(address), clientSite(address)]).toEqual([network, site])
  })
})
