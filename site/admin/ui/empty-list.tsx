import { ButtonLink } from '#components/button.tsx'
import { PlusIcon } from './icons.tsx'

interface EmptyListProps {
  text: string
  /** Link that creates the first record, or with `isElsewhere` to the page where that begins; null without the permission. */
  action?: { href: string; label: string; isElsewhere?: boolean } | null
}

/** The content of a list without records: one sentence, and the button that adds the first one. */
export function EmptyList({ text, action = null }: EmptyListProps) {
  return (
    <div className="flex flex-col items-center gap-3">
      <p>{text}</p>
      {action ? (
        <ButtonLink href={action.href}>
          {action.isElsewhere ? null : <PlusIcon size={18} />}
          {action.label}
        </ButtonLink>
      ) : null}
    </div>
  )
}
