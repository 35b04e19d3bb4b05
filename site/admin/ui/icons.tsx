import { Icon, type IconProps } from '#components/icon.tsx'

// Kept apart from components/icons.tsx so that the shop's pages do not carry them.
export const MenuIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M4 7h16M4 12h16M4 17h16" />
  </Icon>
)
export const SunIcon = (p: IconProps) => (
  <Icon {...p}>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600 7 7M17 17l1.400 1.400M5.600 18.400 7 17M17 7l1.400-1.400" />
  </Icon>
)
export const OrdersIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M6.500 4h11v16l-2.750-1.700L12 20l-2.750-1.700L6.500 20Z" />
    <path d="M9.500 8.500h5M9.500 12.500h5" />
  </Icon>
)
export const WalletIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M4 7.500h14.500a1.500 1.500 0 0 1 1.500 1.500v9.500a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1ZM4 7.500 15.500 4v3.500M16 13.500h.1" />
  </Icon>
)
export const CardIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M4.500 6h15A1.500 1.500 0 0 1 21 7.500v9a1.500 1.500 0 0 1-1.500 1.500h-15A1.500 1.500 0 0 1 3 16.500v-9A1.500 1.500 0 0 1 4.500 6ZM3 10h18M6.500 14.500h4" />
  </Icon>
)
export const HoldIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M7 4h10M7 20h10M8.500 4c0 4.500 7 5 7 8s-7 3.500-7 8M15.500 4c0 4.500-7 5-7 8s7 3.500 7 8" />
  </Icon>
)
export const PeopleIcon = (p: IconProps) => (
  <Icon {...p}>
    <circle cx="9" cy="8.500" r="3.200" />
    <path d="M3 19c.6-3.100 3-4.700 6-4.700s5.400 1.600 6 4.700M15.500 5.600a3.200 3.200 0 0 1 0 5.800M17.500 14.700c1.900.6 3.100 2 3.500 4.300" />
  </Icon>
)
export const TrophyIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M8 4h8v5.500a4 4 0 0 1-8 0ZM8 5.500H4.500c0 3 1.200 4.500 3.500 4.500M16 5.500h3.500c0 3-1.200 4.500-3.500 4.500M12 13.500V17M8.500 20h7M9.500 20c0-2 1-3 2.500-3s2.500 1 2.500 3" />
  </Icon>
)
export const MessageIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M4 5.500h16V17H10l-4 3.500V17H4ZM8 9.500h8M8 13h5" />
  </Icon>
)
export const FolderIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M4 6.500h5.500l2 2.500H20v10H4Z" />
  </Icon>
)
export const RowsIcon = (p: IconProps) => (
  <Icon {...p}>
    <rect x="4" y="5" width="16" height="6" rx="1.500" />
    <rect x="4" y="13.500" width="16" height="6" rx="1.500" />
  </Icon>
)
export const PopupIcon = (p: IconProps) => (
  <Icon {...p}>
    <rect x="3.500" y="5" width="17" height="14" rx="2" />
    <path d="M8 9.500h8v5.500H8Z" />
  </Icon>
)
export const CouponIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M4 7.500h16v3a1.700 1.700 0 0 0 0 3.400v2.600H4v-2.600a1.700 1.700 0 0 0 0-3.400ZM10 10v4.500M14 10v4.500" />
  </Icon>
)
export const RateIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M5 19 19 5M8.200 5.500a2.600 2.600 0 1 1-.1 0ZM15.900 13.300a2.600 2.600 0 1 1-.1 0Z" />
  </Icon>
)
export const MapIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M12 20.500c4-4.300 6-7.500 6-10.300a6 6 0 0 0-12 0c0 2.800 2 6 6 10.300Z" />
    <circle cx="12" cy="10" r="2.200" />
  </Icon>
)
export const PosIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M4 12.500h16V20H4ZM6 12.500 8 4.500h8l2 8M9.500 8.500h5M10.500 16.300h3" />
  </Icon>
)
export const ChartIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M4 4v16h16M8.500 16v-4M12.500 16V8M16.500 16v-6" />
  </Icon>
)
export const StaffIcon = (p: IconProps) => (
  <Icon {...p}>
    <rect x="5" y="5.500" width="14" height="15" rx="2" />
    <path d="M10 5.500V3.500h4v2M9 17c.4-1.700 1.600-2.500 3-2.500s2.600.8 3 2.500" />
    <circle cx="12" cy="11.300" r="1.800" />
  </Icon>
)
export const LogIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M4.500 12a7.500 7.500 0 1 0 2.400-5.500L4.500 8.700M4.500 4.500v4.200h4.200M12 8v4.500l3 1.800" />
  </Icon>
)
export const GearIcon = (p: IconProps) => (
  <Icon {...p}>
    <circle cx="12" cy="12" r="3" />
    <path d="M12 3.500v2.300M12 18.200v2.300M3.500 12h2.300M18.200 12h2.300M6 6l1.600 1.600M16.400 16.400 18 18M6 18l1.600-1.600M16.400 7.600 18 6" />
  </Icon>
)
export const ShopIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M5 10.500V20h14v-9.500M3.500 9 5.500 4h13l2 5c0 1.400-1 2.300-2.200 2.300S16 10.400 16 9c0 1.400-.9 2.300-2 2.300s-2-.9-2-2.300c0 1.400-.9 2.300-2 2.300S8 10.400 8 9c0 1.400-1.100 2.300-2.300 2.300S3.500 10.400 3.500 9Z" />
  </Icon>
)
export const FilterIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M4 6.500h16M7 12h10M10 17.500h4" />
  </Icon>
)
export const DownloadIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M12 4v11M7.500 11 12 15.500 16.500 11M5 20h14" />
  </Icon>
)
export const StarIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="m12 4.500 2.300 4.800 5.200.7-3.800 3.700.9 5.300-4.600-2.500L7.400 19l.9-5.300L4.500 10l5.200-.7Z" />
  </Icon>
)
export const KeyboardIcon = (p: IconProps) => (
  <Icon {...p}>
    <rect x="3" y="6.500" width="18" height="11" rx="2" />
    <path d="M7 10.200h.1M10.500 10.200h.1M14 10.200h.1M17.300 10.200h.1M8 14h8" />
  </Icon>
)
export const PrintIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M7.500 9V4h9v5M7.500 17H4.500V9h15v8h-3M7.500 14h9v6h-9Z" />
  </Icon>
)
export const PencilIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="m5 19 1-4L16 5l3 3L9 18Z" />
  </Icon>
)
export const UpIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="m5.500 15 6.500-7 6.500 7" />
  </Icon>
)
export const CameraIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M4 8h3l1.5-2.5h7L17 8h3a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1Z" />
    <circle cx="12" cy="13" r="3.5" />
  </Icon>
)
export const PictureIcon = (p: IconProps) => (
  <Icon {...p}>
    <rect x="3" y="4.5" width="18" height="15" rx="2" />
    <circle cx="8.5" cy="9.5" r="1.6" />
    <path d="m4 17.5 5-4.5 3.5 3 3.5-4 4.5 4.5" />
  </Icon>
)
export const CropIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M7 2.5V16a1 1 0 0 0 1 1h13.5M2.5 7H16a1 1 0 0 1 1 1v13.5" />
  </Icon>
)
export const GripIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M9 6h.1M15 6h.1M9 12h.1M15 12h.1M9 18h.1M15 18h.1" strokeWidth={3} />
  </Icon>
)
export const TextIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M6 4h9l4 4v12H6ZM9 11h7M9 14.500h7M9 7.500h3" />
  </Icon>
)
export const TagIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M7 4.5h10a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2Z" />
    <circle cx="12" cy="8.5" r="1.4" />
    <path d="M8.5 13h7M8.5 16h4.5" />
  </Icon>
)
