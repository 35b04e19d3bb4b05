import { ListChips, TraitOptions } from './filter-parts.tsx'

export const StaticChips = ListChips
export const StaticTraitOptions = TraitOptions
