export { ListChips } from './list-chips.tsx'
export { TraitOptions } from './trait-options.tsx'
