/** Characters of the name of a saved filter. */
export const MAX_FILTER_NAME_LENGTH = 60
