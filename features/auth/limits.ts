/** Characters of a password. A file of its own: the browser needs the limit without the rules and their word list. */
export const MAX_PASSWORD_LENGTH = 128
