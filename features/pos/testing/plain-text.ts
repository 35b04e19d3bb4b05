/** The visible text of a page, with single spaces. */
export const plainText = (html: string): string =>
  html
    .replace(/<script.*?<\/script>/gs, ' ')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
