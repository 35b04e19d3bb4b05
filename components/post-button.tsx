import type { ComponentProps, FormEvent } from 'react'
import { usePageContext } from '#page/page-context.tsx'
import { Button } from './button.tsx'

interface PostButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  /** Where a browser without scripts sends the form. The route answers such a form with a redirect. */
  action: string
  fields?: Record<string, string | number | undefined>
  /** Sends the request where scripts run. */
  onSend: () => void
}

/** A button that sends a request, also while no script runs: then as a form. */
export function PostButton({ action, fields, onSend, ...button }: PostButtonProps) {
  const send = (event: FormEvent) => {
    event.preventDefault()
    onSend()
  }
  return (
    <form method="post" action={action} onSubmit={send} className="contents">
      {Object.entries({ _token: usePageContext().csrfToken, ...fields }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" {...button} />
    </form>
  )
}
