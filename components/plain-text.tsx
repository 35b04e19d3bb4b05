import type { ReactNode } from 'react'

/** Text as the owner types it: a blank line separates paragraphs, `## ` opens a heading, `- ` a list item. No HTML is interpreted. */
export function PlainText({ text, className = '' }: { text: string; className?: string }) {
  return (
    <div className={`prose-shop ${className}`}>
      {text.split(/\n{2,}/).map((block, index) => (
        <Block key={index} lines={block.split('\n').filter((line) => line.trim())} />
      ))}
    </div>
  )
}

function Block({ lines }: { lines: string[] }): ReactNode {
  const [first = '', ...rest] = lines
  if (first.startsWith('## '))
    return (
      <>
        <h2>{first.slice(3)}</h2>
        {rest.length > 0 ? <Block lines={rest} /> : null}
      </>
    )
  if (first.startsWith('- ')) {
    const items = lines.filter((line) => line.startsWith('- '))
    const after = lines.filter((line) => !line.startsWith('- '))
    return (
      <>
        <ul>
          {items.map((line) => (
            <li key={line}>{line.slice(2)}</li>
          ))}
        </ul>
        {after.length > 0 ? <p>{after.join(' ')}</p> : null}
      </>
    )
  }
  const listAt = rest.findIndex((line) => line.startsWith('- '))
  if (listAt >= 0)
    return (
      <>
        <p>{[first, ...rest.slice(0, listAt)].join(' ')}</p>
        <Block lines={rest.slice(listAt)} />
      </>
    )
  return <p>{lines.join(' ')}</p>
}
