/** The policy pages, by their paths. */
export const POLICY_SLUGS = ['terms-condition', 'privacy-policy', 'return-refund', 'shipping-info'] as const

export type PolicySlug = (typeof POLICY_SLUGS)[number]

/** Pages about the shop. They exist without a text, too: contacts and certificates come from the settings. */
export const ABOUT_SLUGS = ['about', 'contact'] as const

export type AboutSlug = (typeof ABOUT_SLUGS)[number]

/** All texts that the owner writes in both languages. */
export const TEXT_SLUGS = [...POLICY_SLUGS, ...ABOUT_SLUGS] as const

export type TextSlug = (typeof TEXT_SLUGS)[number]
