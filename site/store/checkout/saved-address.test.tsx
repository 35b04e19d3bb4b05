import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import '#messages/en-account.ts'
import type { Address } from '#features/customers/address-rules.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { SavedAddress } from './saved-address.tsx'

const PAGE = { lang: 'en', path: '/cart', shop: { phone: '01700000000', whatsapp: '' } } as PageContextValue
const DHAKA = { id: 1, area_name: 'Dhanmondi', cattle_charge: 1500, produce_charge: 80 }
const NOT_SERVED = 'We no longer deliver to this area.'

function shown({ areas = [DHAKA], isCollection = false }): string {
  const address = { id: 7, name: 'Karim', address: 'Road 1', landmark: '', phone: '', alternate_phone: '', note: '', area_id: 1 } as Address
  const area = isCollection ? null : (areas[0] ?? null)
  const shop = { account: { phone: '01711222333' } }
  const checkout = { shop, book: {}, areas, area, areaProblem: null, isCollection } as unknown as Parameters<
    typeof SavedAddress
  >[0]['checkout']
  return renderToStaticMarkup(
    <AppRoot shell={PAGE}>
      <SavedAddress checkout={checkout} address={address} />
    </AppRoot>,
  )
}

it('a saved address in an area that is served has no warning, also when the order is collected', () => {
  for (const isCollection of [false, true]) {
    const text = shown({ isCollection })
    expect(text).toContain('Road 1, Dhanmondi')
    expect(text).not.toContain(NOT_SERVED)
  }
})

it('an address in an area that is served no longer is named where it is needed', () => {
  expect(shown({ areas: [] })).toContain(NOT_SERVED)
  expect(shown({ areas: [], isCollection: true })).not.toContain(NOT_SERVED)
})
