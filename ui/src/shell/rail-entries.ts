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
  /** The command that leads to it. */
  readonly command: CommandId;
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
  { to: '/actions', name: 'actions', icon: Zap, command: 'goActions' },
  { to: '/templates', name: 'templates', icon: LayoutList, command: 'goTemplates' },
  { to: '/overviews', name: 'overviews', icon: BookOpenText, command: 'goOverviews' },
  { to: '/dossiers', name: 'dossiers', icon: FolderOpen, command: 'goDossiers' },
  {
    to: '/administration',
    name: 'administration',
    icon: Server,
    command: 'goAdministration',
    isForAdministrators: true,
  },
  { to: '/api-reference', name: 'apiReference', icon: Braces, command: 'goApiReference' },
  { to: '/settings', name: 'settings', icon: Settings, command: 'goSettings' },
];
