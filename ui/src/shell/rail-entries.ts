import type { LucideIcon } from 'lucide-react';
import {
  Bookmark,
  BookOpenText,
  Braces,
  Briefcase,
  FileSearch,
  FolderOpen,
  House,
  LayoutList,
  Radar,
  ScanSearch,
  Server,
  Settings,
  TriangleAlert,
  Zap,
} from 'lucide-react';
import type { en } from '../i18n/en/index.ts';
import type { CommandId } from '../keys/key-map.ts';

export interface RailEntry {
  readonly to: string;
  /** Key of its name below `shell.rail`. */
  readonly name: keyof (typeof en)['shell']['rail'];
  readonly icon: LucideIcon;
  readonly command?: CommandId;
  /** True: administrators alone see it. */
  readonly isForAdministrators?: boolean;
}

/** The pages of the rail, in their order. A page that is not there has no entry. */
export const RAIL_ENTRIES: readonly RailEntry[] = [
  { to: '/', name: 'home', icon: House, command: 'goHome' },
  { to: '/alerts', name: 'alerts', icon: TriangleAlert, command: 'goAlerts' },
  { to: '/cases', name: 'cases', icon: Briefcase, command: 'goCases' },
  { to: '/files', name: 'files', icon: FileSearch, command: 'goFiles' },
  { to: '/enrichment', name: 'lookUp', icon: ScanSearch, command: 'goLookUp' },
  { to: '/views', name: 'views', icon: Bookmark, command: 'goViews' },
  { to: '/analytics', name: 'analytics', icon: Radar, command: 'goAnalytics' },
  { to: '/actions', name: 'actions', icon: Zap },
  { to: '/templates', name: 'templates', icon: LayoutList },
  { to: '/overviews', name: 'overviews', icon: BookOpenText },
  { to: '/dossiers', name: 'dossiers', icon: FolderOpen },
  { to: '/administration', name: 'administration', icon: Server, isForAdministrators: true },
  { to: '/api-reference', name: 'apiReference', icon: Braces },
  { to: '/settings', name: 'settings', icon: Settings, command: 'goSettings' },
];
