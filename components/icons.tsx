import { Icon, type IconProps } from './icon.tsx'

export const SearchIcon = (p: IconProps) => (
  <Icon {...p}>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4.5 4.5" />
  </Icon>
)
export const CartIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M3 9h18l-1.6 9.2a2 2 0 0 1-2 1.8H6.6a2 2 0 0 1-2-1.8Z" />
    <path d="m8 9 3-5.5M16 9l-3-5.5M9 13v3.5M15 13v3.5M12 13v3.5" />
  </Icon>
)
export const CloseIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M6 6l12 12M18 6 6 18" />
  </Icon>
)
export const CheckIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="m5 12.5 4.5 4.5L19 7.5" />
  </Icon>
)
export const AlertIcon = (p: IconProps) => (
  <Icon {...p}>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7.5v5.5M12 16.3v.2" />
  </Icon>
)
export const InfoIcon = (p: IconProps) => (
  <Icon {...p}>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5.5M12 7.7v.1" />
  </Icon>
)
export const ShareIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M12 15V4M8 7.5 12 3.5l4 4M6 11H5v9.5h14V11h-1" />
  </Icon>
)
export const WhatsAppIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M3.5 20.5 5 16a8.5 8.5 0 1 1 3.2 3Z" />
    <path d="M9 8.5c-.4 3.5 3 7 6.5 6.5l.5-2-2-1-1 1c-1-.4-1.7-1.1-2-2l1-1-1-2Z" />
  </Icon>
)
export const LeftIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="m14.5 5.5-7 6.5 7 6.5" />
  </Icon>
)
export const RightIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="m9.5 5.5 7 6.5-7 6.5" />
  </Icon>
)
export const DownIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="m5.5 9 6.5 7 6.5-7" />
  </Icon>
)
export const HomeIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M3.5 11 12 4l8.5 7M6 9.5V20h12V9.5M10 20v-5.5h4V20" />
  </Icon>
)
export const CowIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M7.5 8.5C6 8.6 4 8.2 3 6.3c2.2-.7 3.8-.2 4.7.9M16.5 8.5c1.5.1 3.5-.3 4.5-2.2-2.2-.7-3.8-.2-4.7.9" />
    <path d="M8 7c1-1.3 2.4-1.8 4-1.8S15 5.7 16 7c.9 1.3 1 3.6.4 6.2M7.6 13.2C7 10.6 7.1 8.3 8 7M7 16.2c0-2.1 2.2-3.4 5-3.4s5 1.3 5 3.4-2.2 3.6-5 3.6-5-1.5-5-3.6Z" />
    <path d="M10.3 16.3v.2M13.7 16.3v.2M9.8 9.5v.3M14.2 9.5v.3" />
  </Icon>
)
export const FruitIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M13 6.5c4-.6 7 2.2 6.6 6.5-.5 4.6-4.3 7.5-8.6 7.5-4 0-6.7-2.4-6.5-5.6.2-4.3 4.2-7.8 8.5-8.4Z" />
    <path d="M13 6.5c-.2-1.7.4-3 1.7-4M13 6.5c1.7-2.3 4-3 6.3-2.5-.9 2.2-3.3 3.2-6.3 2.5Z" />
  </Icon>
)
export const MoonIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M19.5 14.5A8 8 0 1 1 10 4.3a6.5 6.5 0 0 0 9.5 10.2Z" />
  </Icon>
)
export const UserIcon = (p: IconProps) => (
  <Icon {...p}>
    <circle cx="12" cy="8" r="3.8" />
    <path d="M4.5 20c.8-3.7 3.8-5.7 7.5-5.7s6.7 2 7.5 5.7" />
  </Icon>
)
export const PhoneIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M5 4h3.5l1.7 4.3-2.2 1.5c1.2 2.6 3.2 4.7 5.9 5.9l1.5-2.2L20 15.3V19c0 .6-.5 1-1 1C11 20 4 13 4 5c0-.5.4-1 1-1Z" />
  </Icon>
)
export const ImagesIcon = (p: IconProps) => (
  <Icon {...p}>
    <rect x="3.5" y="6.5" width="14" height="13" rx="2" />
    <path d="M7 3.5h11.5a2 2 0 0 1 2 2V16M3.5 16l4-4 4 4 2.5-2.5 3.5 3.5" />
  </Icon>
)
export const PlayIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M8 5.5v13l10.5-6.5Z" fill="currentColor" />
  </Icon>
)
export const ScaleIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M12 4v16M7 20h10M5 7.5 12 6l7 1.5M5 7.5 2.5 14a3 3 0 0 0 5 0Zm14 0L16.5 14a3 3 0 0 0 5 0Z" />
  </Icon>
)
export const TruckIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M2.5 6h11v10h-11ZM13.5 9.5h4l3.5 3.5v3h-7.5Z" />
    <circle cx="6.5" cy="17.5" r="1.8" />
    <circle cx="17" cy="17.5" r="1.8" />
  </Icon>
)
export const CalendarIcon = (p: IconProps) => (
  <Icon {...p}>
    <rect x="4" y="5.5" width="16" height="14.5" rx="2" />
    <path d="M4 10h16M8.5 3.5v4M15.5 3.5v4" />
  </Icon>
)
export const PlusIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M12 5.5v13M5.5 12h13" />
  </Icon>
)
export const MinusIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M5.5 12h13" />
  </Icon>
)
export const TrashIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v6M13.5 10.5v6" />
  </Icon>
)
