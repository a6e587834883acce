import { useNavigate } from '@tanstack/react-router';
import type { Command } from '../../keys/commands.tsx';
import { RAIL_ENTRIES } from '../rail-entries.ts';
import { showOverlay } from './palette-state.ts';

/** Returns the commands that every page has. */
export function useGoCommands(): Command[] {
  const navigate = useNavigate();
  return [
    ...RAIL_ENTRIES.flatMap(({ command, to }) =>
      command === undefined ? [] : [{ id: command, run: () => void navigate({ to }) }],
    ),
    { id: 'palette', run: () => showOverlay('palette') },
    { id: 'keyHelp', run: () => showOverlay('keys') },
  ];
}
