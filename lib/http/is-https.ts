/** Whether the shop's address is https. Its cookies are secure then, and have other names. */
export const isHttps = (publicUrl: string): boolean => publicUrl.startsWith('https:')
