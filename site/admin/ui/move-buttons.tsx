import type { HTMLAttributes } from 'react'
import { useI18n } from '#page/page-context.tsx'
import { DownIcon, GripIcon, UpIcon } from './icons.tsx'

interface MoveButtonsProps {
  /** What is moved, by its name. */
  name: string
  index: number
  count: number
  onMove(from: number, to: number): void
}

const BUTTON =
  'grid size-11 place-items-center rounded-card text-leaf-800 hover:bg-leaf-100 disabled:text-stone/40 disabled:hover:bg-transparent'

/** One place up, one place down: for keys, and for whoever does not drag. */
export function MoveButtons({ name, index, count, onMove }: MoveButtonsProps) {
  const { t } = useI18n()
  return (
    <span className="inline-flex">
      <button
        type="button"
        aria-label={t('moving.up', { name })}
        title={t('moving.up', { name })}
        disabled={index === 0}
        className={BUTTON}
        onClick={() => onMove(index, index - 1)}
      >
        <UpIcon size={18} />
      </button>
      <button
        type="button"
        aria-label={t('moving.down', { name })}
        title={t('moving.down', { name })}
        disabled={index === count - 1}
        className={BUTTON}
        onClick={() => onMove(index, index + 1)}
      >
        <DownIcon size={18} />
      </button>
    </span>
  )
}

/** What a row is dragged by; the buttons beside it do the same for keys, so it is none of their stops. */
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
