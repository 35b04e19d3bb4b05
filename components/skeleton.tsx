/** A grey place that text or a picture will take; give it the true size by class. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <span aria-hidden="true" className={`shimmer block rounded-tag ${className}`} />
}
