/** The most people of one campaign. */
export const MAX_PEOPLE = 50_000
/** Campaigns of the shop that may go on concurrently. */
export const MAX_RUNNING = 5
/** Days ahead that a campaign may start. */
export const MAX_DAYS_AHEAD = 90
/** A start that passed while the campaign was written is now. An older one is a mistake. */
export const MAX_PAST_MS = 10 * 60_000

export type CampaignState = 'running' | 'paused' | 'done' | 'stopped'

/** A campaign with its progress. */
export interface Campaign {
  id: number
  name: string
  text_en: string
  text_bn: string
  state: CampaignState
  total: number
  parts_limit: number
  parts_used: number
  starts_at: string
  created_at: string
  finished_at: string | null
  by: string
  /** Its time has not come. */
  is_ahead: boolean
  /** The numbers of people by the state of their SMS. */
  sent: number
  /** Waiting for their turn, in the outbox or being sent. */
  waiting: number
  not_reached: number
}

/** Why a running campaign sends nothing at the moment. `provider`: there is none, or it accepts no SMS. */
export type WaitReason = 'start' | 'quiet' | 'provider' | 'budget'

/** A campaign, and what it waits for. */
export interface CampaignProgress {
  campaign: Campaign
  waits: WaitReason | null
}

/** Why a person was not reached. `unknown`: the SMS may or may not have arrived. */
export type NotReachedReason = 'opted-out' | 'closed' | 'budget' | 'stopped' | 'failed' | 'unknown'

export interface NotReached {
  phone: string
  customer_id: number
  name: string
  reason: NotReachedReason
}

/** The people that a campaign would reach, and those it leaves out. */
export interface Recipients {
  /** Found by the filter. */
  found: number
  en: number
  bn: number
  opted_out: number
  /** Closed accounts, and erased customers without a phone. */
  closed: number
  /** The newest customer of the shop now. */
  up_to: number
}
