import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react'

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'tag' | 'danger' | 'wait'
export type ButtonSize = 'small' | 'medium' | 'large'

interface Look {
  kind?: ButtonKind
  size?: ButtonSize
  /** As wide as its place. */
  full?: boolean
}

const KINDS: Record<ButtonKind, string> = {
  primary: 'bg-leaf-600 text-white hover:bg-leaf-700 active:bg-leaf-800',
  secondary: 'bg-milk text-leaf-800 ring-1 ring-inset ring-leaf-600/45 hover:bg-leaf-100 active:bg-leaf-100',
  quiet: 'text-leaf-800 hover:bg-leaf-100 active:bg-leaf-100',
  tag: 'bg-tag text-ink hover:bg-[#ffd43a] active:bg-[#e9b90f]',
  danger: 'bg-terracotta text-white hover:bg-[#923b23] active:bg-[#7d321d]',
  wait: 'bg-mango-100 text-ink ring-1 ring-inset ring-mango/60',
}

const SIZES: Record<ButtonSize, string> = {
  small: 'min-h-9 px-3 py-1 text-sm',
  medium: 'min-h-11 px-4 py-1.5',
  large: 'min-h-13 px-6 py-2 text-lg',
}

/** Classes of a button, for whatever must look like one. */
export function buttonClass({ kind = 'primary', size = 'medium', full = false }: Look, more = ''): string {
  return `inline-flex items-center justify-center gap-2 rounded-card text-center font-semibold leading-snug transition-colors disabled:cursor-not-allowed ${
    kind === 'wait' ? '' : 'disabled:bg-line disabled:text-stone disabled:ring-0'
  } ${KINDS[kind]} ${SIZES[size]} ${full ? 'w-full' : ''} ${more}`
}

type ButtonProps = Look & ButtonHTMLAttributes<HTMLButtonElement> & {
  /** While true the button waits: it cannot be pressed again, and says so. */
  busy?: boolean
}

export function Button({ kind, size, full, busy = false, className, disabled, type = 'button', children, ...rest }: ButtonProps) {
  return (
    <button type={type} className={buttonClass({ kind, size, full }, className)} disabled={disabled || busy} aria-busy={busy || undefined} {...rest}>
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({ kind, size, full, className, ...rest }: Look & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a className={buttonClass({ kind, size, full }, className)} {...rest} />
}
