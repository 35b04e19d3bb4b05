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
    <path d="M7.5 8.5C6 8.6 4 8.2 3 6.3c2.200-.7 3.800-.2 4.700.9M16.500 8.500c1.500.1 3.500-.3 4.500-2.200-2.200-.7-3.800-.2-4.700.9" />
    <path d="M8 7c1-1.300 2.400-1.800 4-1.800S15 5.700 16 7c.9 1.300 1 3.600.4 6.200M7.600 13.200C7 10.600 7.100 8.300 8 7M7 16.200c0-2.100 2.200-3.400 5-3.400s5 1.300 5 3.400-2.200 3.600-5 3.600-5-1.500-5-3.600Z" />
    <path d="M10.300 16.300v.2M13.700 16.300v.2M9.800 9.500v.3M14.200 9.500v.3" />
  </Icon>
)
export const FruitIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M13 6.500c4-.6 7 2.200 6.600 6.500-.5 4.600-4.300 7.500-8.600 7.500-4 0-6.700-2.400-6.500-5.600.2-4.300 4.200-7.800 8.500-8.400Z" />
    <path d="M13 6.500c-.2-1.700.4-3 1.700-4M13 6.500c1.700-2.300 4-3 6.300-2.500-.9 2.200-3.300 3.200-6.300 2.500Z" />
  </Icon>
)
export const MoonIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M19.500 14.500A8 8 0 1 1 10 4.300a6.500 6.500 0 0 0 9.500 10.200Z" />
  </Icon>
)
export const UserIcon = (p: IconProps) => (
  <Icon {...p}>
    <circle cx="12" cy="8" r="3.800" />
    <path d="M4.500 20c.8-3.700 3.800-5.700 7.500-5.700s6.700 2 7.500 5.700" />
  </Icon>
)
export const PhoneIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M5 4h3.500l1.700 4.300-2.200 1.500c1.200 2.600 3.200 4.700 5.900 5.900l1.500-2.200L20 15.300V19c0 .6-.5 1-1 1C11 20 4 13 4 5c0-.5.4-1 1-1Z" />
  </Icon>
)
export const ImagesIcon = (p: IconProps) => (
  <Icon {...p}>
    <rect x="3.500" y="6.500" width="14" height="13" rx="2" />
    <path d="M7 3.500h11.500a2 2 0 0 1 2 2V16M3.500 16l4-4 4 4 2.500-2.500 3.500 3.500" />
  </Icon>
)
export const PlayIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M8 5.500v13l10.500-6.500Z" fill="currentColor" />
  </Icon>
)
export const ScaleIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M12 4v16M7 20h10M5 7.500 12 6l7 1.500M5 7.500 2.500 14a3 3 0 0 0 5 0Zm14 0L16.500 14a3 3 0 0 0 5 0Z" />
  </Icon>
)
export const TruckIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M2.500 6h11v10h-11ZM13.500 9.500h4l3.500 3.500v3h-7.500Z" />
    <circle cx="6.500" cy="17.500" r="1.800" />
    <circle cx="17" cy="17.500" r="1.800" />
  </Icon>
)
export const CalendarIcon = (p: IconProps) => (
  <Icon {...p}>
    <rect x="4" y="5.500" width="16" height="14.500" rx="2" />
    <path d="M4 10h16M8.500 3.500v4M15.500 3.500v4" />
  </Icon>
)
export const PlusIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M12 5.500v13M5.500 12h13" />
  </Icon>
)
export const MinusIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M5.500 12h13" />
  </Icon>
)
export const TrashIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M5 7h14M10 7V4.500h4V7M7 7l.8 12.500h8.400L17 7M10.500 10.500v6M13.500 10.500v6" />
  </Icon>
)
