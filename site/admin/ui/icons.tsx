import {
  Archive,
  AppWindow,
  Bell,
  Camera,
  ChartColumn,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronUp,
  CircleAlert,
  CreditCard,
  Crop,
  Check,
  Download,
  FileText,
  Folder,
  GripVertical,
  History,
  Hourglass,
  IdCard,
  Image,
  Info,
  Keyboard,
  Lock,
  ListFilter,
  type LucideIcon,
  MapPin,
  Menu,
  MessageSquareText,
  Moon,
  Pencil,
  Percent,
  Play,
  Plus,
  Printer,
  ReceiptText,
  Rows2,
  Scale,
  Search,
  Settings,
  ShoppingBasket,
  Star,
  Store,
  Sun,
  Tag,
  Ticket,
  Trash2,
  Trophy,
  UsersRound,
  Wallet,
  X,
} from 'lucide-react'
import type { IconProps } from '#components/icon.tsx'

/** A Lucide icon in the sizes and line width of the store's own drawings. */
function iconOf(Drawing: LucideIcon) {
  return ({ size = 20, ref: _ref, ...rest }: IconProps) => (
    <Drawing size={size} strokeWidth={1.9} aria-hidden="true" focusable="false" {...rest} />
  )
}

export const AlertIcon = iconOf(CircleAlert)
export const ArchiveIcon = iconOf(Archive)
export const BellIcon = iconOf(Bell)
export const CameraIcon = iconOf(Camera)
export const CardIcon = iconOf(CreditCard)
export const ChartIcon = iconOf(ChartColumn)
export const CheckIcon = iconOf(Check)
export const CloseIcon = iconOf(X)
export const CouponIcon = iconOf(Ticket)
export const CropIcon = iconOf(Crop)
export const DownIcon = iconOf(ChevronDown)
export const DownloadIcon = iconOf(Download)
export const FilterIcon = iconOf(ListFilter)
export const FolderIcon = iconOf(Folder)
export const GearIcon = iconOf(Settings)
export const GripIcon = iconOf(GripVertical)
export const HoldIcon = iconOf(Hourglass)
export const InfoIcon = iconOf(Info)
export const KeyboardIcon = iconOf(Keyboard)
export const LockIcon = iconOf(Lock)
export const LeftIcon = iconOf(ChevronLeft)
export const LogIcon = iconOf(History)
export const MapIcon = iconOf(MapPin)
export const MenuIcon = iconOf(Menu)
export const MessageIcon = iconOf(MessageSquareText)
export const MoonIcon = iconOf(Moon)
export const OrdersIcon = iconOf(ReceiptText)
export const PencilIcon = iconOf(Pencil)
export const PeopleIcon = iconOf(UsersRound)
export const PictureIcon = iconOf(Image)
export const PlayIcon = iconOf(Play)
export const PlusIcon = iconOf(Plus)
export const PopupIcon = iconOf(AppWindow)
export const PosIcon = iconOf(ShoppingBasket)
export const PrintIcon = iconOf(Printer)
export const RateIcon = iconOf(Percent)
export const RightIcon = iconOf(ChevronRight)
export const RowsIcon = iconOf(Rows2)
export const ScaleIcon = iconOf(Scale)
export const SearchIcon = iconOf(Search)
export const ShopIcon = iconOf(Store)
export const StaffIcon = iconOf(IdCard)
export const StarIcon = iconOf(Star)
export const SunIcon = iconOf(Sun)
export const TagIcon = iconOf(Tag)
export const TextIcon = iconOf(FileText)
export const TrashIcon = iconOf(Trash2)
export const TrophyIcon = iconOf(Trophy)
export const UpIcon = iconOf(ChevronUp)
export const WalletIcon = iconOf(Wallet)
