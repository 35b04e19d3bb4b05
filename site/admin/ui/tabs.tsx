import { useEffect, useRef } from 'react'

interface Tab {
  href: string
  label: string
  isCurrent: boolean
}

/** Parts of a page, each with a URL. Scrolls to the open one where not all fit. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    const open = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (row.current && open) row.current.scrollLeft = open.offsetLeft - (row.current.clientWidth - open.offsetWidth) / 2
  }, [])
  return (
    <nav ref={row} aria-label={label} className="relative -mx-4 mb-3 flex overflow-x-auto border-b border-line px-2 lg:mx-0 lg:px-0">
      {tabs.map((tab) => (
        <a
          key={tab.href}
          href={tab.href}
          aria-current={tab.isCurrent ? 'page' : undefined}
          className="inline-flex min-h-11 min-w-11 shrink-0 items-center justify-center border-b-2 border-transparent px-2.5 text-sm whitespace-nowrap -outline-offset-3 hover:bg-leaf-100 aria-[current]:border-leaf-600 aria-[current]:font-semibold aria-[current]:text-leaf-800"
        >
          {tab.label}
        </a>
      ))}
    </nav>
  )
}
