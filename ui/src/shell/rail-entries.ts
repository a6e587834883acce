import type { LucideIcon } from 'lucide-react';
import { House } from 'lucide-react';
import type { CommandId } from '../keys/key-map.ts';

export interface RailEntry {
  readonly to: string;
  /** Key of its name below `shell.rail`. */
  readonly name: 'home';
  readonly icon: LucideIcon;
  readonly command?: CommandId;
  /** True: administrators alone see it. */
  readonly isForAdministrators?: boolean;
}

/** The pages of the rail, in their order. A page that is not there has no entry. */
export const RAIL_ENTRIES: readonly RailEntry[] = [{ to: '/', name: 'home', icon: House, command: 'goHome' }];
