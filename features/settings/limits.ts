/** Characters of a season: the settings, a product and a rate table name the same one. */
export const MAX_SEASON_LENGTH = 60

/** Pictures of certificates on the page About. */
export const MAX_CERTIFICATES = 6
