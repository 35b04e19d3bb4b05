import type { AnchorHTMLAttributes, ComponentPropsWithRef, MouseEvent } from 'react'

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'tag' | 'danger' | 'wait'
type ButtonSize = 'small' | 'medium' | 'large'

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
    /** A request is in flight: presses do nothing. The focus stays, which a disabled button would lose. */
    busy?: boolean
  }

export function Button({ kind, size, full, busy = false, className, type = 'button', children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={buttonClass({ kind, size, full }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? ignorePress : onClick}
      {...rest}
    >
      {children}
    </button>
  )
}

/** Submits no form either. */
const ignorePress = (event: MouseEvent) => event.preventDefault()

/** A link that looks like a button. */
export function ButtonLink({ kind, size, full, className, ...rest }: Look & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a className={buttonClass({ kind, size, full }, className)} {...rest} />
}
