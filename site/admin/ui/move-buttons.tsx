import type { HTMLAttributes } from 'react'
import { useI18n } from '#page/page-context.tsx'
import { DownIcon, GripIcon, UpIcon } from './icons.tsx'

interface MoveButtonsProps {
  /** Name of the moved record. */
  name: string
  index: number
  count: number
  onMove(from: number, to: number): void
}

const BUTTON =
  'grid size-11 place-items-center rounded-card text-leaf-800 hover:bg-leaf-100 aria-disabled:text-stone/40 aria-disabled:hover:bg-transparent'

/** Buttons to move a row up or down, for the keyboard. At an end they keep the focus, which a disabled button would lose. */
export function MoveButtons({ name, index, count, onMove }: MoveButtonsProps) {
  const { t } = useI18n()
  return (
    <span className="inline-flex">
      <button
        type="button"
        aria-label={t('moving.up', { name })}
        title={t('moving.up', { name })}
        aria-disabled={index === 0}
        className={BUTTON}
        onClick={() => index > 0 && onMove(index, index - 1)}
      >
        <UpIcon size={18} />
      </button>
      <button
        type="button"
        aria-label={t('moving.down', { name })}
        title={t('moving.down', { name })}
        aria-disabled={index === count - 1}
        className={BUTTON}
        onClick={() => index < count - 1 && onMove(index, index + 1)}
      >
        <DownIcon size={18} />
      </button>
    </span>
  )
}

/** Drag handle of a row. Hidden from assistive technology: the buttons beside it do the same. */
export function DragHandle(props: HTMLAttributes<HTMLSpanElement>) {
  return (
    <span
      aria-hidden="true"
      data-handle
      className="grid size-11 shrink-0 cursor-grab place-items-center text-stone active:cursor-grabbing"
      {...props}
    >
      <GripIcon size={18} />
    </span>
  )
}
