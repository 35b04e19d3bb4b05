/** The policy pages, by their paths. */
export const POLICY_SLUGS = ['terms-condition', 'privacy-policy', 'return-refund', 'shipping-info'] as const

export type PolicySlug = (typeof POLICY_SLUGS)[number]
