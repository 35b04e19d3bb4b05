import type { AnchorHTMLAttributes, ComponentPropsWithRef } from 'react'

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'tag' | 'danger' | 'wait'
export type ButtonSize = 'small' | 'medium' | 'large'

interface Look {
  kind?: ButtonKind
  size?: ButtonSize
  /** As wide as its container. */
  full?: boolean
}

/** Classes of a button, for other elements that look like one. */
export function buttonClass({ kind = 'primary', size = 'medium', full = false }: Look, more = ''): string {
  return `btn btn-${kind} btn-${size}${full ? ' btn-full' : ''}${more ? ` ${more}` : ''}`
}

type ButtonProps = Look &
  ComponentPropsWithRef<'button'> & {
    /** A request is in flight: the button is disabled and `aria-busy`. */
    busy?: boolean
  }

export function Button({ kind, size, full, busy = false, className, disabled, type = 'button', children, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={buttonClass({ kind, size, full }, className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({ kind, size, full, className, ...rest }: Look & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a className={buttonClass({ kind, size, full }, className)} {...rest} />
}
