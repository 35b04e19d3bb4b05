import { formatNumber } from '#lib/format/numbers.ts'
import { plural } from '#lib/format/plural.ts'

const n = (value: number) => formatNumber(value, 'en')

export const compare = {
  'compare.title': 'Compare animals',
  'compare.chosen': (p: { count: number; max: number }) => `${n(p.count)} of ${n(p.max)} chosen`,
  'compare.full': 'You can compare three animals',
  'compare.clear': 'Clear the comparison',
  'compare.remove': 'Remove',
  'compare.remove-named': (p: { name: string }) => `Remove ${p.name}`,
  'compare.empty': 'No animal chosen yet',
  'compare.empty-text': 'Press “Compare” on up to three animals to see them side by side.',
  'compare.one': 'Choose another animal to compare it with.',
  'compare.gone': 'An animal is no longer in the shop.',
  'compare.beef': 'Beef cattle',
  'compare.kurbani': 'Kurbani cows',
  'compare.animal': 'Animal',
  'compare.status': 'Status',
  'compare.price': 'Price',
  'compare.gain': 'Weight gain',
  'compare.gain-value': (p: { change: string; days: number }) => `${p.change} in ${plural(n(p.days), 'day')}`,
}
