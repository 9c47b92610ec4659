import {
  Activity,
  Bell,
  ChartNoAxesGantt,
  Clock3,
  Flame,
  LayoutDashboard,
  LibraryBig,
  Lightbulb,
  Lock,
  Radar,
  ScrollText,
  Send,
  Settings,
  Workflow,
} from 'lucide-react';

export type PageName =
  | 'overview'
  | 'locks'
  | 'heatmap'
  | 'waits'
  | 'blame'
  | 'advice'
  | 'traces'
  | 'deadlocks'
  | 'alerts'
  | 'notifications'
  | 'audit'
  | 'libraries'
  | 'targets'
  | 'settings';

export interface NavItem {
  page: PageName;
  href: string;
  icon: typeof Lock;
  /** Pressed after `g`. */
  key: string;
}

/** The pages of the console, in the order of the navigation. */
export const NAV_ITEMS: readonly NavItem[] = [
  { page: 'overview', href: '/', icon: LayoutDashboard, key: 'o' },
  { page: 'locks', href: '/locks', icon: Lock, key: 'l' },
  { page: 'heatmap', href: '/heatmap', icon: Flame, key: 'h' },
  { page: 'waits', href: '/waits', icon: Clock3, key: 'w' },
  { page: 'blame', href: '/blame', icon: ChartNoAxesGantt, key: 'm' },
  { page: 'advice', href: '/advice', icon: Lightbulb, key: 'v' },
  { page: 'traces', href: '/traces', icon: Activity, key: 'r' },
  { page: 'deadlocks', href: '/deadlocks', icon: Workflow, key: 'd' },
  { page: 'alerts', href: '/alerts', icon: Bell, key: 'a' },
  { page: 'notifications', href: '/notifications', icon: Send, key: 'n' },
  { page: 'audit', href: '/audit', icon: ScrollText, key: 'u' },
  { page: 'libraries', href: '/libraries', icon: LibraryBig, key: 'b' },
  { page: 'targets', href: '/targets', icon: Radar, key: 't' },
  { page: 'settings', href: '/settings', icon: Settings, key: 's' },
];

/** Whether `pathname` is the page itself or one below it. */
export const isCurrent = (item: NavItem, pathname: string): boolean =>
  item.href === '/'
    ? pathname === '/'
    : pathname === item.href || pathname.startsWith(`${item.href}/`);
