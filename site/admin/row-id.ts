/** The id of a row in an address; null for other texts. */
export const rowId = (text: string | undefined) => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : null)
