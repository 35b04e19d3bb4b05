import type { ComponentProps } from 'react'

/** How much of a task is done. Without `value` the amount is not known. */
export function ProgressBar({ className = '', ...rest }: ComponentProps<'progress'>) {
  return (
    <progress
      className={`h-2 w-full appearance-none overflow-hidden rounded-pill bg-line [&::-moz-progress-bar]:bg-leaf-600 [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-leaf-600 ${className}`}
      {...rest}
    />
  )
}
