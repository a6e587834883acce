import { useNavigate } from '@tanstack/react-router';
import type { Command } from '../../keys/commands.tsx';
import { useRailEntries } from '../use-rail-entries.ts';
import { showOverlay } from './palette-state.ts';

/** Returns the commands that every page has. */
export function useGoCommands(): Command[] {
  const navigate = useNavigate();
  return [
    ...useRailEntries().map(({ command, to }) => ({ id: command, run: () => void navigate({ to }) })),
    { id: 'palette', run: () => showOverlay('palette') },
    { id: 'keyHelp', run: () => showOverlay('keys') },
  ];
}
