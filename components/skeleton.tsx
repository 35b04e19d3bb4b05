/** A grey placeholder for text or an image that is loading. The class sets its size. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <span aria-hidden="true" className={`shimmer block rounded-tag ${className}`} />
}
