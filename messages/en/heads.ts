import { formatNumber } from '#lib/format/numbers.ts'

// What pages say of themselves in their heads: only the server needs it.
export const heads = {
  'home.title': (p: { shop: string }) => `${p.shop}: fruit, beef cattle and Kurbani cows from our own farm`,
  'home.description':
    'Cattle by live weight with tag and weigh-ins, fruit picked the day before, sugarcane: from our own farm to your door.',
  'beef.description': 'Beef cattle by live weight: photos, ear tag, dated weigh-ins, price per kg, delivery in and around Dhaka.',
  'category.description': (p: { category: string }) => `${p.category} from our own farm: prices, pack sizes and delivery dates.`,
  'fruits.description': 'Mango, jackfruit, litchi, guava and other fruit from our own orchards, by the kilogram, picked for your order.',
  'kurbani.description': 'Cows and bulls for Eid-ul-Adha by live weight: tag, weigh-ins, photos and video, booked with an advance.',
  'page.number': (p: { title: string; page: number }) => `${p.title}, page ${formatNumber(p.page, 'en')}`,
  'product.title': (p: { name: string; price: string }) => `${p.name}, ${p.price}`,
}
