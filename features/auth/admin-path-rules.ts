/** Whether a path or URL is that of an admin page. */
export const isAdminPath = (path: string | null): boolean => /^\/admin(?:[/?#]|$)/.test(path ?? '')

/** Whether a path or URL is that of an admin page or of the admin's API. */
export const isAdminOrItsApi = (path: string): boolean => isAdminPath(path.replace(/^\/api(?=\/)/, ''))
