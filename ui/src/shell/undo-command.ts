import { useCommands } from '../keys/commands.tsx';
import { useStore } from '../state/use-store.ts';
import { lastUndo } from './last-undo.ts';

/** Draws nothing: keys and palette have the command while there is something to take back. */
export function UndoCommand() {
  const run = useStore(lastUndo);
  useCommands(run === undefined ? [] : [{ id: 'undo', run }]);
  return null;
}
