import type { ListingJson, PopupJson, SlotJson } from '#features/catalog/types.ts'

export interface Props {
  popup: PopupJson | null
  slots: SlotJson[]
  listing: ListingJson
}

export function Page({ slots, listing }: Props) {
  return (
    <main>
      {slots.map((slot) => (
        <h2 key={slot.slot_name}>{slot.slot_name}</h2>
      ))}
      {listing.products.map((product) => (
        <p key={product.id}>{product.product_type}</p>
      ))}
    </main>
  )
}
