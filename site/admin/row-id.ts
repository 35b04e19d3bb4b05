/** The id of a row in a URL; null for other texts. */
export const rowId = (text: string | undefined) => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : null)
