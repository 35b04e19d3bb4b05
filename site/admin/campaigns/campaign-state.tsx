import type { Campaign } from '#features/campaigns/types.ts'
import { useI18n } from '#page/page-context.tsx'

const TONES = { running: 'chip-leaf', paused: 'chip-tag', done: 'chip-indigo', stopped: 'chip-terracotta', scheduled: 'chip-tag' } as const

/** The state of a campaign in words; one whose time has not come is scheduled. */
export function CampaignStateChip({ campaign }: { campaign: Pick<Campaign, 'state' | 'is_ahead'> }) {
  const { t } = useI18n()
  const state = campaign.is_ahead ? 'scheduled' : campaign.state
  return <span className={`chip ${TONES[state]}`}>{t(`campaigns.state.${state}`)}</span>
}
