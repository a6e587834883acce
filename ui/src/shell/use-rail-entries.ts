import { RAIL_ENTRIES, type RailEntry } from './rail-entries.ts';
import { useAccount } from './session-context.tsx';

/** Returns the pages of the rail that this account may open. */
export function useRailEntries(): readonly RailEntry[] {
  const isAdministrator = useAccount().data?.is_admin === true;
  return RAIL_ENTRIES.filter(({ isForAdministrators }) => isForAdministrators !== true || isAdministrator);
}
