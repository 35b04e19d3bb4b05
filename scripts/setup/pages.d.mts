export function ensurePages(node: string, options?: { always?: boolean }): Promise<void>
